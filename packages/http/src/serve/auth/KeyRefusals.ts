/**
 * What all kinds of authentication answer alike to whoever shows no key, an unknown one, or one
 * that could not be looked up.
 */
import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { Cause, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { challengeHeaders, makePresetError, unexpectedMessage } from "../../contract/ErrorBody.ts"
import type { FailureLog } from "../edge/FailureLog.ts"
import { retryHeaders } from "../edge/Outage.ts"
import type { AuthenticatorError, Unauthenticated } from "./Authenticator.ts"

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
  Missing: challenge("Missing Authentication header"),
  Unknown: challenge("Invalid API key"),
  told: challenge,
  Disabled: Effect.fail(makeError(403, "The workspace is disabled")),
  unexpected: makeError(500, unexpectedMessage)
} as const

/** Answers with a body where a key could not be looked up, and logs why. */
export const makeLookupFailure =
  ({ tell }: FailureLog["Service"], body: unknown) =>
  (error: AuthenticatorError | WorkspaceStoreError) => {
    const cause = Cause.fail(error)
    return Effect.as(
      tell({ what: "A key could not be looked up", cause }),
      HttpServerResponse.jsonUnsafe(body, { status: 500, headers: retryHeaders(cause) })
    )
  }

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Answers where a request comes from nobody who may send it. */
export const makeRefusal =
  <E, R>(
    answers: Readonly<Record<Unauthenticated["reason"], Answer<E, R>>> & {
      /** In the words of whoever knows the callers. */
      readonly told: (sentence: string) => Answer<E, R>
    },
    fail: ReturnType<typeof makeLookupFailure>
  ) =>
  (
    error: AuthenticatorError | Unauthenticated | WorkspaceStoreError
  ): Answer<E, HttpServerRequest.HttpServerRequest | R> => {
    if (error._tag !== "Unauthenticated") return fail(error)
    return error.sentence === undefined ? answers[error.reason] : answers.told(error.sentence)
  }
