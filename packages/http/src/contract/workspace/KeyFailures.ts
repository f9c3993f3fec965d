/**
 * That an operation on one's own keys may fail, as the API declares it. `FailureAnswers` writes the
 * answers, which a client does not need.
 */
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "../Authentication.ts"
import { KeyErrors } from "./WorkspaceErrors.ts"

/** Answers defects of these operations in the form of their errors. */
export class KeyFailures extends HttpApiMiddleware.Service<KeyFailures, { requires: Caller }>()(
  "@verbatim/http/workspace/KeyFailures",
  { error: KeyErrors[500] }
) {}
