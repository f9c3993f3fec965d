/**
 * What presets were like when this folder last agreed with a workspace, beside their files. Whoever
 * changed one elsewhere since is told apart from whoever changed its file.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type ExpectedPreset, type HeldContent, PresetStatus } from "@verbatim/core/preset"
import { FormatName } from "@verbatim/core/request"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, Schema } from "effect"
import { FileProblem } from "../file/FileProblem.ts"
import { readTextOf, writeWhole } from "../file/PresetFolder.ts"

/** No file of a preset begins with a dot. */
const fileName = ".verbatim-presets.json"

const Seen = Schema.Struct({
  format: Schema.NullOr(FormatName),
  /** SHA-256 of prompt, configuration, and what wins over requests. */
  content: Schema.String,
  name: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  status: Schema.optionalKey(PresetStatus)
})

/** What a preset was like. */
export type SeenPreset = typeof Seen.Type

/** By workspace, by what points to the version, and by slug. */
const Record = Schema.Record(
  Schema.String,
  Schema.Record(Schema.String, Schema.Record(Schema.String, Seen))
)

/** What was seen through one pointer of one workspace. */
export interface Sight {
  readonly workspaceId: string
  /** Null for the designation. */
  readonly label: string | null
}

const pointerOf = ({ label }: Sight): string => label ?? "designated"

const digestOf = ({ config, systemPrompt, wins }: HeldContent): string =>
  createHash("sha256")
    .update(JSON.stringify([systemPrompt, config, ...(wins.length === 0 ? [] : [wins])]))
    .digest("hex")

/** Remembers a preset; with a label, what it points to alone. */
export const toSeen = (
  content: HeldContent,
  traits: Omit<SeenPreset, "content" | "format"> = {}
): SeenPreset => ({ format: content.format, content: digestOf(content), ...traits })

/** What is expected of a preset that was seen so. */
export const expectSeen = ({ content, format, ...traits }: SeenPreset): ExpectedPreset => ({
  isPointed: (version) =>
    version !== undefined &&
    digestOf(version) === content &&
    (version.format === null || format === null || version.format === format),
  traits
})

const readRecord = Effect.fnUntraced(function* (folder: string) {
  const file = join(folder, fileName)
  // Taken for nothing, one that cannot be read would have others overruled in silence.
  const text = existsSync(file) ? yield* readTextOf(file) : "{}"
  const sentence = "it is not what verbatim has written: remove it, and export again"
  return yield* Schema.decodeUnknownEffect(Record)(Option.getOrNull(ExactNumber.parse(text))).pipe(
    Effect.mapError(() => new FileProblem({ file, line: null, sentence }))
  )
})

/** What was seen of a workspace, by slug; nothing where this folder was never with it. */
export const readSeen = Effect.fnUntraced(function* (folder: string, sight: Sight) {
  const record = yield* readRecord(folder)
  const seen = record[sight.workspaceId]?.[pointerOf(sight)] ?? {}
  return new Map(Object.entries(seen))
})

/** Adds what is seen now. */
export const writeSeen = Effect.fnUntraced(function* (
  folder: string,
  { seen, ...sight }: Sight & { readonly seen: ReadonlyMap<string, SeenPreset> }
) {
  if (seen.size === 0) return
  const record = yield* readRecord(folder)
  const pointer = pointerOf(sight)
  const others = record[sight.workspaceId] ?? {}
  const all = { ...others[pointer], ...Object.fromEntries(seen) }
  const sorted = Object.fromEntries(
    Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))
  )
  const next = { ...record, [sight.workspaceId]: { ...others, [pointer]: sorted } }
  yield* writeWhole(join(folder, fileName), `${JSON.stringify(next, undefined, 2)}\n`)
})
