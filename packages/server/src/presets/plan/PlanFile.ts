/**
 * A plan as a file, to be looked at, agreed to, and applied by somebody else: what shall be, and
 * what each preset was like when it was planned.
 */
import {
  decodeFile,
  type ExpectedPreset,
  encodeFile,
  type PresetFile,
  PresetStatus,
  pointedOf
} from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option, Result, Schema } from "effect"
import { FileProblem } from "../file/FileProblem.ts"
import { readTextOf, writeWhole } from "../file/PresetFolder.ts"
import type { Planned, PlannedPreset } from "./Planned.ts"

const Expected = Schema.NullOr(
  Schema.Struct({
    /** The version that was designated, or that the label pointed to; null where there was none. */
    version_id: Schema.NullOr(Schema.String),
    name: Schema.String,
    description: Schema.NullOr(Schema.String),
    status: PresetStatus
  })
)

const Document = Schema.Struct({
  verbatim_plan: Schema.Literal(1),
  workspace_id: Schema.NullOr(Schema.String),
  label: Schema.NullOr(Schema.String),
  presets: Schema.Array(
    Schema.Struct({
      slug: Schema.String,
      file: Schema.NullOr(Schema.String),
      /** Null for one that has no file, and is to be archived. */
      preset: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
      expected: Expected
    })
  )
})

/** A preset of a plan that was kept. */
export interface KeptPreset {
  readonly slug: string
  readonly file: string | null
  /** Null for one that is to be archived. */
  readonly wanted: PresetFile | null
  readonly expected: ExpectedPreset
}

/** A plan that was kept. */
export interface KeptPlan {
  readonly workspaceId: string | null
  readonly label: string | null
  readonly presets: ReadonlyArray<KeptPreset>
}

const toExpected = ({ held }: PlannedPreset, label: string | null): typeof Expected.Type => {
  if (held === undefined) return null
  const { description, name, status } = held
  return { version_id: pointedOf(held, label)?.id ?? null, name, description, status }
}

const fromExpected = (expected: typeof Expected.Type): ExpectedPreset => {
  if (expected === null) return null
  const { version_id, ...traits } = expected
  return { isPointed: (version) => (version?.id ?? null) === version_id, traits }
}

/** Keeps a plan. */
export const writePlan = (
  file: string,
  { label, presets, workspaceId }: Planned & { readonly workspaceId: string | null }
) => {
  const document: typeof Document.Type = {
    verbatim_plan: 1,
    workspace_id: workspaceId,
    label,
    presets: presets.map((each) => ({
      slug: each.slug,
      file: each.file,
      preset: each.file === null ? null : encodeFile(each.wanted),
      expected: toExpected(each, label)
    }))
  }
  return writeWhole(file, `${JSON.stringify(document, undefined, 2)}\n`)
}

/** Reads a plan. */
export const readPlan = Effect.fnUntraced(function* (file: string) {
  const parsed = Option.getOrNull(ExactNumber.parse(yield* readTextOf(file)))
  const fail = (sentence: string) => new FileProblem({ file, line: null, sentence })
  const read = yield* Schema.decodeUnknownEffect(Document)(parsed).pipe(
    Effect.mapError(() => fail("it is not a plan of this version"))
  )
  const presets = yield* Effect.forEach(read.presets, ({ expected, file: from, preset, slug }) => {
    const decoded = preset === null ? Result.succeed(null) : decodeFile(preset)
    return Effect.fromResult(decoded).pipe(
      Effect.mapBoth({
        onFailure: ({ message }) => fail(`${slug}: ${message}`),
        onSuccess: (wanted) => ({ slug, file: from, wanted, expected: fromExpected(expected) })
      })
    )
  })
  return { workspaceId: read.workspace_id, label: read.label, presets }
})
