/**
 * What callers of a preset operation are told when the server fails: the user of their key, when to
 * come again if that may help, and nothing else. The cause goes to the log.
 */
import { Cause, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller } from "../Authentication.ts"
import { makePresetError, unexpectedMessage } from "../ErrorBody.ts"
import { FailureLog } from "../FailureLog.ts"
import { retryHeaders } from "../Outage.ts"
import { PresetFailures } from "./PresetFailures.ts"

const answer = (cause: Cause.Cause<unknown>) =>
  Effect.map(Caller, ({ userId }) =>
    HttpServerResponse.jsonUnsafe(makePresetError(500, { message: unexpectedMessage, userId }), {
      status: 500,
      headers: retryHeaders(cause)
    })
  )

/** Answers what of a preset operation fails. */
export const layer: Layer.Layer<PresetFailures, never, FailureLog> = Layer.effect(
  PresetFailures,
  Effect.map(
    FailureLog,
    ({ tell }) =>
      (handler) =>
        Effect.catchDefect(handler, (defect) => {
          const cause = Cause.die(defect)
          return Effect.andThen(tell({ what: "A preset operation failed", cause }), answer(cause))
        })
  )
)
