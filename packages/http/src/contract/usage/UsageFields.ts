/** Fields that sums and lines of ledgers have in common on the wire. */
import { Schema } from "effect"
import { orNull } from "../AnswerFields.ts"

/** Makes a field of minutes as people read them. */
export const makeMinutes = (what: string) =>
  Schema.String.annotate({ description: `${what}, as a decimal number with two digits.` })

/** Makes the same for whoever sums. */
export const makeMillis = (what: string) =>
  Schema.Int.annotate({ description: `${what}, exactly: milliseconds of audio.` })

/** Where the next page begins. */
export const nextCursor = orNull(
  Schema.String,
  "The `cursor` of the next page; null on the last one."
)
