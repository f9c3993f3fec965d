/**
 * What all kinds of authentication answer alike to whoever shows no key, an unknown one, or one
 * that could not be looked up.
 */
import type { WorkspaceStoreError } from "@verbatim/core/ports"
import type { ApiKeyUnknown, WorkspaceDisabled } from "@verbatim/core/services"
import { Cause, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { challengeHeaders, makePresetError, unexpectedMessage } from "./ErrorBody.ts"
import type { FailureLog } from "./FailureLog.ts"
import { retryHeaders } from "./Outage.ts"

/** Nobody is known yet. */
const makeError = <const Status extends 401 | 403 | 500>(status: Status, message: string) =>
  makePresetError(status, { message, userId: null })

/** Refuses with the scheme that a client has to use (RFC 9110, 15.5.2), so it is a whole answer. */
const challenge = (message: string) =>
  Effect.succeed(
    HttpServerResponse.jsonUnsafe(makeError(401, message), {
      status: 401,
      headers: challengeHeaders
    })
  )

/** What is answered, in the form of presets, before somebody is known. */
export const anonymous = {
  missing: challenge("Missing Authentication header"),
  unknown: challenge("Invalid API key"),
  disabled: Effect.fail(makeError(403, "The workspace is disabled")),
  unexpected: makeError(500, unexpectedMessage)
} as const

/** Answers with a body where a key could not be looked up, and logs why. */
export const makeLookupFailure =
  ({ tell }: FailureLog["Service"], body: unknown) =>
  (error: WorkspaceStoreError) => {
    const cause = Cause.fail(error)
    return Effect.as(
      tell({ what: "A key could not be looked up", cause }),
      HttpServerResponse.jsonUnsafe(body, { status: 500, headers: retryHeaders(cause) })
    )
  }

/** What is answered to the key of a workspace that is unknown, of no use now, or not looked up. */
interface KeyAnswers<E, R> {
  readonly unknown: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  readonly disabled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  readonly fail: ReturnType<typeof makeLookupFailure>
}

/** Answers where the key of a workspace opens nothing. */
export const makeKeyRefusal =
  <E, R>({ disabled, fail, unknown }: KeyAnswers<E, R>) =>
  (
    error: ApiKeyUnknown | WorkspaceDisabled | WorkspaceStoreError
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E,
    HttpServerRequest.HttpServerRequest | R
  > => {
    switch (error._tag) {
      case "ApiKeyUnknown":
        return unknown
      case "WorkspaceDisabled":
        return disabled
      default:
        return fail(error)
    }
  }
