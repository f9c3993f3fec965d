/**
 * What callers of a preset operation are told when the server fails: the user of their key, and
 * nothing else. The cause goes to the log.
 */
import { Cause, Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "../Authentication.ts"
import { PresetErrors, unexpectedMessage } from "../ErrorBody.ts"
import { refuse } from "./PresetRefusal.ts"

/** Answers defects of preset operations in the form of their errors. */
export class PresetFailures extends HttpApiMiddleware.Service<
  PresetFailures,
  { requires: Caller }
>()("@verbatim/http/preset/PresetFailures", { error: PresetErrors[500] }) {
  static readonly layer: Layer.Layer<PresetFailures> = Layer.succeed(PresetFailures, (handler) =>
    Effect.catchDefect(handler, (defect) =>
      Effect.andThen(
        Effect.logError("A preset operation failed", Cause.die(defect)),
        refuse(500, unexpectedMessage)
      )
    )
  )
}
