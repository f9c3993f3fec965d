/** Texts as answers: a whole one is sent with its length, any other while it is being made. */
import type { Written } from "@verbatim/core/services"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/**
 * Turns a text into a response. A failure in the middle of a text breaks the connection: the caller
 * has the status already, and must not take a part for the whole.
 */
export const toResponse = <E>(written: Written<E>): HttpServerResponse.HttpServerResponse => {
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
