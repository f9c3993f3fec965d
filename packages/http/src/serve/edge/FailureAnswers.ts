/**
 * What callers are told when an operation of theirs fails in the server: the user of their key,
 * when to come again if that may help, and nothing else. The cause goes to the log.
 */
import { Cause, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller } from "../../contract/Authentication.ts"
import { makePresetError, unexpectedMessage } from "../../contract/ErrorBody.ts"
import { PresetFailures } from "../../contract/preset/PresetFailures.ts"
import { KeyFailures } from "../../contract/workspace/KeyFailures.ts"
import { FailureLog } from "./FailureLog.ts"
import { retryHeaders } from "./Outage.ts"

const answer = (cause: Cause.Cause<unknown>) =>
  Effect.map(Caller, ({ userId }) =>
    HttpServerResponse.jsonUnsafe(makePresetError(500, { message: unexpectedMessage, userId }), {
      status: 500,
      headers: retryHeaders(cause)
    })
  )

/** Makes the middleware that answers what of an operation fails. */
export const makeAnswers = (what: string) =>
  Effect.map(
    FailureLog,
    ({ tell }) =>
      <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
        Effect.catchDefect(handler, (defect) => {
          const cause = Cause.die(defect)
          return Effect.andThen(tell({ what, cause }), answer(cause))
        })
  )

/** Answers what of an operation on presets, or on the keys of the caller's workspace, fails. */
export const layer: Layer.Layer<KeyFailures | PresetFailures, never, FailureLog> = Layer.merge(
  Layer.effect(PresetFailures, makeAnswers("A preset operation failed")),
  Layer.effect(KeyFailures, makeAnswers("An operation on keys failed"))
)
