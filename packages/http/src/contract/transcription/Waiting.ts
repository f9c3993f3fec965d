/**
 * How long an answer may wait for the status of a job to change, as the query says it: a long poll,
 * for those who cannot listen.
 */
import { Duration, Effect } from "effect"
import { makeTranscriptionError, type TranscriptionError } from "../ErrorBody.ts"
import type { LateParameter } from "../LateParameters.ts"

/** Less than most clients and proxies wait for an answer. */
export const waitSecondsMax = 60

const pattern = /^\d{1,2}$/

/** Reads the parameter; zero where it is left out. */
export const readWait = (
  given: LateParameter | undefined
): Effect.Effect<Duration.Duration, TranscriptionError<400>> => {
  if (given === undefined) return Effect.succeed(Duration.zero)
  const isRight =
    typeof given === "string" && pattern.test(given) && Number(given) <= waitSecondsMax
  return isRight
    ? Effect.succeed(Duration.seconds(Number(given)))
    : Effect.fail(
        makeTranscriptionError(
          400,
          `Invalid 'wait' value. Must be an integer from 0 to ${waitSecondsMax}`
        )
      )
}
