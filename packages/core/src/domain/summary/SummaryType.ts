/**
 * The three summaries, and which one a recording is long enough for.
 */
import { Result, Schema } from "effect"

/** What a caller may ask for. */
export const SummaryType = Schema.Literals(["brief", "medium", "long"])
export type SummaryType = typeof SummaryType.Type

const minuteMillis = 60_000

/** The least audio each type is made from, inclusive, in milliseconds. */
const minimumMillis: Readonly<Record<SummaryType, number>> = {
  brief: 1 * minuteMillis,
  medium: 3 * minuteMillis,
  long: 10 * minuteMillis
}

/** What to try when a type is asked for: itself, then the shorter ones. */
const candidates: Readonly<Record<SummaryType, ReadonlyArray<SummaryType>>> = {
  brief: ["brief"],
  medium: ["medium", "brief"],
  long: ["long", "medium", "brief"]
}

/** The type to make, never longer than the one requested, or why none is made. */
export const choose = (transcript: {
  readonly requested: SummaryType
  /** The length of the audio, silence included. */
  readonly durationMillis: number
  /** Whether nothing was said. */
  readonly isEmpty: boolean
}): Result.Result<SummaryType, "transcript too short" | "transcript is empty"> => {
  if (transcript.isEmpty) return Result.fail("transcript is empty")
  const fitting = candidates[transcript.requested].find(
    (type) => transcript.durationMillis >= minimumMillis[type]
  )
  return fitting === undefined ? Result.fail("transcript too short") : Result.succeed(fitting)
}
