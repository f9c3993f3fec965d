/**
 * Which version of a preset is meant, and in which format a request is, as queries say it.
 */

import type { PresetWanted } from "@verbatim/core/preset"
import { fromWireFormat, WireFormat } from "@verbatim/core/request"
import { instantForm, readInstant } from "@verbatim/core/schema"
import { reservedNames } from "@verbatim/core/workspace"
import { labelPattern } from "@verbatim/resolution"
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { makeNumber, makeText } from "../../QueryParameters.ts"
import { slugShape } from "../PresetParameters.ts"
import { countMax } from "../VersionPoints.ts"

const isFormat = Schema.is(WireFormat)

const formats = WireFormat.literals

const Format = makeText({
  enum: formats,
  description: "The format of the request; told by its fields when it is left out."
})
  .check(
    Schema.makeFilter((text: string) => isFormat(text), {
      message: `must be one of ${formats.join(", ")}`
    })
  )
  .pipe(
    Schema.decodeTo(
      WireFormat,
      SchemaTransformation.transform({
        decode: (text) => text as typeof WireFormat.Type,
        encode: (format): string => format
      })
    )
  )

const At = makeText({
  pattern: instantForm.source,
  description: "Asks for the version that was designated, or labelled, at that instant."
})
  .check(
    Schema.makeFilter((text: string) => Option.isSome(readInstant(text)), {
      message: "must be an instant such as 2030-01-02T03:04:05Z"
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.DateTimeUtc,
      SchemaTransformation.transform({
        decode: (text) => Option.getOrElse(readInstant(text), () => DateTime.makeUnsafe(0)),
        encode: DateTime.formatIso
      })
    )
  )

const words = reservedNames.join(" or ")

const chosen = {
  version: Schema.optionalKey(
    makeNumber({ description: "The number of a version.", minimum: 1, maximum: countMax })
  ),
  label: Schema.optionalKey(
    makeText({
      pattern: labelPattern.source,
      description: "The name of a label, or `designated` or `latest`."
      // In a reference a number would be a version.
    }).check(Schema.isPattern(labelPattern, { message: `must be a label, ${words}` }))
  ),
  at: Schema.optionalKey(At)
}

/** Which version is meant: the designated one, unless another one is named. */
export const pinQuery = chosen

/** The same, with the format of the request. */
export const resolveQuery = { ...chosen, format: Schema.optionalKey(Format) }

/** For a request that names its preset itself. */
export const namedQuery = { at: resolveQuery.at, format: resolveQuery.format }

/** For a request that is only tried. */
export const previewQuery = {
  format: resolveQuery.format,
  slug: Schema.optionalKey(
    makeText({
      ...slugShape,
      description: "The preset that it would become part of."
    })
  )
}

/** Which version a query of one of these operations names, when, and in which format. */
export interface VersionQuery {
  readonly version?: number
  readonly label?: string
  readonly at?: DateTime.Utc
  readonly format?: typeof WireFormat.Type
}

/** What a path and a query mean together. The service judges the reference that they make. */
export const toWanted = (
  slug: string,
  { label, version, ...query }: VersionQuery
): Omit<PresetWanted, "principal"> => ({
  preset:
    version === undefined && label === undefined
      ? slug
      : [slug, version, label].filter((part) => part !== undefined).join("@"),
  ...toTime(query)
})

/** When, and in which format. */
export const toTime = ({ at, format }: VersionQuery) => ({
  at,
  format: format === undefined ? undefined : fromWireFormat(format)
})
