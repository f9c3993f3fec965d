/**
 * A text as the answer to a request: with its length where it is whole, else as it is made.
 */
import type { Written } from "@verbatim/core/services/Written"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/**
 * The answer of a text. What goes wrong in the middle of one breaks the connection: the caller has
 * the status already, and must not take a part for the whole.
 */
export const ofWritten = <E>(written: Written<E>): HttpServerResponse.HttpServerResponse => {
  const { contentType } = written
  return written._tag === "Whole"
    ? HttpServerResponse.text(written.text, { contentType })
    : HttpServerResponse.stream(
        Stream.encodeText(written.pieces).pipe(
          Stream.tapCause((cause) => Effect.logError("An answer broke off", cause))
        ),
        { contentType }
      )
}
