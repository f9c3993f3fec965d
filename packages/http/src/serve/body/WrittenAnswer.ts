/** Texts as answers: a whole one is sent with its length, any other while it is being made. */
import type { Written } from "@verbatim/core/services"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { toSentWhole } from "../auth/KeyShare.ts"
import type { FailureLog } from "../edge/FailureLog.ts"

/** What an hour of speech is as text. Longer ones have one of the two slots of their workspace. */
const longBytes = 1_048_576

/**
 * Answers with a rendering. A long one has a slot until it is sent, so it is not counted for its
 * key as well: a slow reader would stop all other calls of the key.
 */
export const toRendered = (
  ...rendering: Parameters<typeof HttpServerResponse.text>
): HttpServerResponse.HttpServerResponse =>
  toSentWhole(HttpServerResponse.text(...rendering), longBytes)

/**
 * Turns a text into a response. A failure in the middle of a text breaks the connection: the caller
 * has the status already, and must not take a part for the whole.
 */
export const toResponse = ({ tell }: FailureLog["Service"]) =>
  Effect.fnUntraced(function* <E>(written: Written<E>) {
    const { contentType } = written
    if (written._tag === "Whole") return HttpServerResponse.text(written.text, { contentType })
    const request = yield* HttpServerRequest.HttpServerRequest
    const pieces = Stream.tapCause(written.pieces, (cause) =>
      tell({ what: "An answer broke off", cause }).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request)
      )
    )
    return HttpServerResponse.stream(Stream.encodeText(pieces), { contentType })
  })
