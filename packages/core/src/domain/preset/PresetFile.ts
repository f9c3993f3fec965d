/**
 * Preset files contain the name, description and status of a preset, and the content of one
 * version. The keys have a fixed order, and numbers, times and authors of versions are left out, so
 * that the same preset has the same file in every store.
 */
import { Result, Schema } from "effect"
import { fromWireFormat, toWireFormat, WireFormat } from "../request/RequestFormat.ts"
import { fromIssue, InvalidRequest } from "../schema/Problem.ts"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"
import { descriptionMax, nameMax, PresetStatus } from "./PresetChange.ts"
import { type PresetContent, validateContent } from "./PresetContent.ts"
import { PresetSlug } from "./PresetSlug.ts"

/** The parts of a preset that do not belong to a version. */
export interface PresetTraits {
  readonly name: string
  readonly description: string | null
  readonly status: PresetStatus
}

/** A preset as parsed from a file. */
export interface PresetFile extends PresetTraits {
  readonly slug: PresetSlug
  readonly content: PresetContent
}

const storable = Schema.makeFilter(isStorable, {
  message: "must not contain NUL or a lone surrogate"
})

/** A preset file. Missing fields have the values of a new preset. */
const Document = Schema.Struct({
  slug: PresetSlug,
  name: Schema.optionalKey(Schema.String.check(notEmpty, charactersAtMost(nameMax), storable)),
  description: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(charactersAtMost(descriptionMax), storable))
  ),
  status: Schema.optionalKey(PresetStatus),
  format: Schema.optionalKey(WireFormat),
  system_prompt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  config: Schema.Record(Schema.String, Schema.Json),
  wins: Schema.optionalKey(Schema.Array(Schema.String))
})

const read = Schema.decodeUnknownResult(Document)

/** An unknown name is an error, because the name may be misspelt. */
const strict = { errors: "all", onExcessProperty: "error" } as const

/** Reads the preset in a file, or reports all problems of the file. */
export const decodeFile = (document: unknown): Result.Result<PresetFile, InvalidRequest> =>
  read(document, strict).pipe(
    Result.mapError((error) => new InvalidRequest({ problems: fromIssue(error.issue) })),
    Result.flatMap(
      ({ config, format = "responses", system_prompt: systemPrompt = null, wins = [], ...rest }) =>
        Result.map(
          validateContent({ format: fromWireFormat(format), systemPrompt, config, wins }),
          (content) => ({
            slug: rest.slug,
            name: rest.name ?? rest.slug,
            description: rest.description ?? null,
            status: rest.status ?? ("active" as const),
            content
          })
        )
    )
  )

/** Returns the JSON document of a preset, with its keys in a fixed order. */
export const encodeFile = ({ content, ...preset }: PresetFile): Schema.JsonObject => ({
  slug: preset.slug,
  name: preset.name,
  description: preset.description,
  status: preset.status,
  format: toWireFormat(content.format),
  system_prompt: content.systemPrompt,
  config: content.config,
  ...(content.wins.length === 0 ? {} : { wins: content.wins })
})
