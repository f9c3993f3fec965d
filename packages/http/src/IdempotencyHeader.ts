/**
 * The header under which a request may be sent again, as the description of the API shows it.
 */
import { Schema } from "effect"

/** The header, with a sentence on what it does. The service judges its value in its turn. */
export const idempotencyHeader = (sentence: string) =>
  Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": {
        type: "string",
        pattern: "^[!-~]{1,255}$",
        description: `1 to 255 visible ASCII characters. ${sentence}`
      }
    })
  )
