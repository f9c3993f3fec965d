/**
 * What came of an attempt, as far as the worker has to know.
 */
import { Data } from "effect"
import type { Failure } from "../domain/attempt/Failure.ts"

export type Ending = Data.TaggedEnum<{
  Succeeded: {}
  Failed: { readonly failure: Failure }
  /** It was found lost, given back, or overtaken: it says nothing of what it needed. */
  Unjudged: {}
  /** No attempt was counted: the worker stops, or what comes before an attempt failed. */
  NotBegun: { readonly failure: Failure | undefined }
}>
export const Ending = Data.taggedEnum<Ending>()

/** Why it failed, if it did. */
export const failureOf = (ending: Ending): Failure | undefined =>
  "failure" in ending ? ending.failure : undefined
