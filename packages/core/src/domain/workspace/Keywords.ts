/**
 * Words and names that are likely in a recording: those of its request, then those of its
 * workspace. Engines that take any are told them.
 */
import { Option, Schema } from "effect"
import { charactersAtMost, charactersInTotalAtMost, itemsAtMost } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"

/** As many as engines with lists take: Deepgram and ElevenLabs take a hundred. */
export const keywordMax = 100

/** Of one, in code points: a name or a term. Engines refuse sentences. */
export const keywordLengthMax = 100

/** Of all together, in code points: as much as an initial prompt may have. */
export const keywordsLengthMax = 4_096

const isKeyword = (text: string): boolean =>
  text !== "" && text.trim() === text && !/\p{Cc}/u.test(text) && isStorable(text)

const atEnds = "[^\\s\\u0000-\\u001f\\u007f-\\u009f]"
const inside = "[^\\u0000-\\u001f\\u007f-\\u009f]"

/** One word, name or phrase. */
const Keyword = Schema.String.check(
  charactersAtMost(keywordLengthMax),
  Schema.makeFilter(isKeyword, {
    message: "not empty, without control characters and without spaces at its ends",
    toJsonSchema: () => ({ pattern: `^${atEnds}(${inside}*${atEnds})?$` })
  })
)

/** A list of them. */
export const Keywords = Schema.Array(Keyword).check(
  itemsAtMost(keywordMax, "keywords"),
  charactersInTotalAtMost(keywordsLengthMax)
)
export type Keywords = typeof Keywords.Type

/** What a list has to be, for the sentence of a refusal. */
export const keywordsRule =
  `at most ${keywordMax} words or phrases, each of 1 to ${keywordLengthMax} characters without ` +
  `control characters and without spaces at its ends, ${keywordsLengthMax} characters together`

const decode = Schema.decodeUnknownOption(Keywords)

/** Reads a list: each one once. */
export const readKeywords = (value: unknown): Option.Option<Keywords> =>
  Option.map(decode(value), (keywords) => unite(keywords))

const fromJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * A list as a form writes it: as JSON, or separated by commas. What begins like JSON and is none
 * stays a text, which is no list.
 */
export const fromText = (text: string): unknown => {
  if (text.trim().startsWith("[")) return Option.getOrElse(fromJson(text), () => text)
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** The first list, then what only the second one has. */
export const unite = (
  own: ReadonlyArray<string>,
  more: ReadonlyArray<string> = []
): ReadonlyArray<string> => [...new Set([...own, ...more])]

/** What a workspace adds to the keywords of each of its requests, judged when it was given. */
export const keywordFields = { keywords: Schema.Array(Schema.String) }

const OfWorkspace = Schema.Struct(keywordFields)
type OfWorkspace = typeof OfWorkspace.Type

/** None. */
export const noKeywords: OfWorkspace = { keywords: [] }

/** The keywords of what has more fields than that. */
export const keywordsOf = ({ keywords }: OfWorkspace): OfWorkspace => ({ keywords })
