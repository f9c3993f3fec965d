/**
 * Keywords are words and names that are likely to occur in a recording. Engines that accept
 * keywords get those of the request, followed by those of the workspace.
 */
import { Option, Schema } from "effect"
import { charactersAtMost, charactersInTotalAtMost, itemsAtMost } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"

/**
 * Maximum number of keywords: as many as engines accept. Deepgram and ElevenLabs accept a hundred.
 */
export const keywordMax = 100

/** Maximum length of one keyword, in code points: a name or a term. Engines refuse sentences. */
export const keywordLengthMax = 100

/** Maximum total length of all keywords, in code points: the same as for an initial prompt. */
export const keywordsLengthMax = 4_096

const isKeyword = (text: string): boolean =>
  text !== "" && text.trim() === text && !/\p{Cc}/u.test(text) && isStorable(text)

const atEnds = "[^\\s\\u0000-\\u001f\\u007f-\\u009f]"
const inside = "[^\\u0000-\\u001f\\u007f-\\u009f]"

/** A keyword: a word, a name or a phrase. */
const Keyword = Schema.String.check(
  charactersAtMost(keywordLengthMax),
  Schema.makeFilter(isKeyword, {
    message: "not empty, without control characters and without spaces at its ends",
    toJsonSchema: () => ({ pattern: `^${atEnds}(${inside}*${atEnds})?$` })
  })
)

/** A list of keywords that is within all limits. */
export const Keywords = Schema.Array(Keyword).check(
  itemsAtMost(keywordMax, "keywords"),
  charactersInTotalAtMost(keywordsLengthMax)
)
export type Keywords = typeof Keywords.Type

/** The rule for a list of keywords, as refusals state it. */
export const keywordsRule =
  `at most ${keywordMax} words or phrases, each of 1 to ${keywordLengthMax} characters without ` +
  `control characters and without spaces at its ends, ${keywordsLengthMax} characters together`

const decode = Schema.decodeUnknownOption(Keywords)

/** Parses a list of keywords, and removes duplicates. */
export const readKeywords = (value: unknown): Option.Option<Keywords> =>
  Option.map(decode(value), (keywords) => unite(keywords))

const fromJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * Parses a list of keywords in a form: as JSON, or separated by commas. If text begins like JSON
 * but cannot be parsed, it is returned unchanged, and refused for not being a list.
 */
export const fromText = (text: string): unknown => {
  if (text.trim().startsWith("[")) return Option.getOrElse(fromJson(text), () => text)
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Combines two lists of keywords, and removes duplicates. */
export const unite = (
  own: ReadonlyArray<string>,
  more: ReadonlyArray<string> = []
): ReadonlyArray<string> => [...new Set([...own, ...more])]

/**
 * The keywords that a workspace adds to each of its requests. They were validated when they were
 * set.
 */
export const keywordFields = { keywords: Schema.Array(Schema.String) }

const WorkspaceKeywords = Schema.Struct(keywordFields)
type WorkspaceKeywords = typeof WorkspaceKeywords.Type

/** The keyword setting of a workspace without keywords. */
export const noKeywords: WorkspaceKeywords = { keywords: [] }

/** Returns only the keywords of an object that also has other fields. */
export const keywordsOf = ({ keywords }: WorkspaceKeywords): WorkspaceKeywords => ({ keywords })
