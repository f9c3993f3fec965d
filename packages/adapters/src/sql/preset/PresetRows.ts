/** Converts presets and their versions to and from rows. */

import { PresetStoreError } from "@verbatim/core/ports"
import {
  ContentErasure,
  Preset,
  type PresetConfig,
  PresetLabels,
  PresetVersion
} from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Option, Schema, SchemaTransformation, Struct } from "effect"
import type { SqlError } from "effect/sql"
import { json, makeReader, type Row, table } from "../row/Row.ts"

/** The fields that a stored preset has in every state. */
const storedFields = {
  ...Struct.omit(Preset.cases.Active.fields, ["_tag"]),
  labels: json(PresetLabels)
}

const storedPreset = Schema.TaggedUnion({
  Active: storedFields,
  Disabled: storedFields,
  Archived: storedFields
})

/**
 * The status of a removed preset with rows that are still to be deleted. Older releases do not know
 * this status.
 */
export const removedStatus = "Removed"

/** The SQL condition that excludes removed presets. */
export const notRemoved = `verbatim_presets.status <> '${removedStatus}'`

/** Reads and writes the rows of `presets`. */
export const presets = table({
  name: "presets",
  schema: storedPreset,
  fields: Object.keys(Preset.cases.Active.fields),
  renamed: { _tag: "status" }
})

/** The columns that an update can change. The other columns keep their original values. */
export const toRevisedColumns = (preset: Preset): Row =>
  Struct.omit(presets.row(preset), [
    "id",
    "workspace_id",
    "slug",
    "creator_user_id",
    "latest_version",
    "created_at"
  ])

/** The configuration is parsed JSON, so only one check is needed: the value must be an object. */
const config = Schema.declare(
  (value): value is PresetConfig =>
    typeof value === "object" && value !== null && !Array.isArray(value)
)

/**
 * A configuration as text, so that numbers keep all digits. Invalid JSON decodes to null, which is
 * not an object.
 */
const storedConfig = Schema.String.pipe(
  Schema.decodeTo(
    config,
    SchemaTransformation.transform({
      decode: (text): PresetConfig => Option.getOrNull(ExactNumber.parse(text)) as PresetConfig,
      encode: (value) => JSON.stringify(value)
    })
  )
)

/** The column `wins` is null in most rows, because most versions name no fields. */
const storedWins = Schema.NullOr(json(PresetVersion.fields.wins)).pipe(
  Schema.decodeTo(
    Schema.toType(PresetVersion.fields.wins),
    SchemaTransformation.transform({
      decode: (wins): ReadonlyArray<string> => wins ?? [],
      encode: (wins) => (wins.length === 0 ? null : wins)
    })
  )
)

const erasureAsJson = json(ContentErasure)

/**
 * Encodes the record that a version's content was erased. This record is stored with the rest of
 * the version.
 */
export const toErasureText = Schema.encodeSync(erasureAsJson)

/** Reads and writes the rows of `preset_versions`. */
export const presetVersions = table({
  name: "preset_versions",
  schema: Schema.Struct({
    ...PresetVersion.fields,
    config: storedConfig,
    wins: storedWins,
    erased: Schema.NullOr(erasureAsJson)
  }),
  fields: Object.keys(PresetVersion.fields),
  renamed: { format: "request_format" }
})

/** Reads a COUNT query's result. */
export const readCount = makeReader(Schema.Int)

type Reason = PresetStoreError["reason"]

/** The constructors of all reasons. */
export const reasons = PresetStoreError.fields.reason.cases

/** Returns a function that creates the errors for an operation that was refused. */
export const makeRefusal = (operation: string) => (reason: Reason) =>
  new PresetStoreError({ operation, reason })

const reasonOf = (operation: string, cause: SqlError.SqlError): Reason => {
  switch (cause.reason._tag) {
    // The violated constraint is a foreign key, because unique violations have another tag. Of the
    // rows that a new version or a protected label refers to, only the workspace can be missing.
    case "ConstraintError":
      return operation === "append" || operation === "protect"
        ? reasons.WorkspaceMissing.make({})
        : reasons.Unavailable.make({ cause })
    case "LockTimeoutError":
    case "SerializationError":
    case "DeadlockError":
      return reasons.Contended.make({})
    default:
      return reasons.Unavailable.make({ cause })
  }
}

/**
 * Converts database failures to failures of the `PresetStore` port; other failures stay unchanged.
 */
export const toStoreError = (
  operation: string,
  cause: SqlError.SqlError | PresetStoreError
): PresetStoreError =>
  cause._tag === "SqlError" ? makeRefusal(operation)(reasonOf(operation, cause)) : cause
