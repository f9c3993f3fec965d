/**
 * The headers that make an operation on a preset conditional, as the description shows them.
 */
import { Schema } from "effect"
import { tagsPattern } from "./PresetHeaders.ts"

/** A header with entity tags; `x-schema` tells its form. */
const makeTags = (description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": { type: "string", pattern: tagsPattern, description }
    })
  )

/** The preconditions of a write. */
export const conditions = {
  "if-match": makeTags(
    "Entity tags as answers with one preset carry them in `ETag`: the write is made only while " +
      "one of them is the current one; with `*`, only when the preset exists."
  ),
  "if-none-match": makeTags(
    "With `*`, the write is made only when there is no such preset; with entity tags, only while " +
      "none of them is the current one."
  )
}

/** The preconditions of a write of a label. */
export const labelConditions = {
  "if-match": makeTags(
    "Entity tags as answers with one label carry them in `ETag`: the write is made only while " +
      "the label points to one of these versions; with `*`, only when there is such a label."
  ),
  "if-none-match": makeTags(
    "With `*`, the write is made only when there is no such label; with entity tags, only while " +
      "it points to none of these versions."
  )
}

/** What a reader has already. */
export const readConditions = {
  "if-none-match": makeTags("Entity tags of what the caller has: one that is current is a 304.")
}
