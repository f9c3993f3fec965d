/**
 * The header `Idempotency-Key` as the description of the API shows it: it makes repeats safe.
 */
import { Schema } from "effect"

/** Makes the header's schema with a sentence on what it does. The service judges its value. */
export const makeIdempotencyHeader = (sentence: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": {
        type: "string",
        pattern: "^[!-~]{1,255}$",
        description: `1 to 255 visible ASCII characters. ${sentence}`
      }
    })
  )
