/**
 * The operator's templates: named sets of parameters that a request can ask for.
 */
import { Context } from "effect"
import type { Parameters } from "./TranscriptionRequest.ts"

/** Template name → parameters with JSON values. The request's own parameters win. */
export const Templates: Context.Reference<ReadonlyMap<string, Parameters>> = Context.Reference(
  "@verbatim/core/transcription/Templates",
  { defaultValue: (): ReadonlyMap<string, Parameters> => new Map() }
)
