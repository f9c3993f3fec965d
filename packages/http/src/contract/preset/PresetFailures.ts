/**
 * That a preset operation may fail, as the API declares it. `FailureAnswers` writes the
 * answers, which a client does not need.
 */
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "../Authentication.ts"
import { PresetErrors } from "../ErrorBody.ts"

/** Answers defects of preset operations in the form of their errors. */
export class PresetFailures extends HttpApiMiddleware.Service<
  PresetFailures,
  { requires: Caller }
>()("@verbatim/http/preset/PresetFailures", { error: PresetErrors[500] }) {}
