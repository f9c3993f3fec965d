/**
 * The three types of summary, and the length of audio that each requires.
 */
import { Result, Schema } from "effect"

/** The type of summary that a caller requests. */
export const SummaryType = Schema.Literals(["brief", "medium", "long"])
export type SummaryType = typeof SummaryType.Type

const minuteMillis = 60_000

/** Minimum length of the audio for each type, inclusive, in milliseconds. */
const minimumMillis: Readonly<Record<SummaryType, number>> = {
  brief: 1 * minuteMillis,
  medium: 3 * minuteMillis,
  long: 10 * minuteMillis
}

/** The types to try for each requested type: the type itself, then the shorter types. */
const candidates: Readonly<Record<SummaryType, ReadonlyArray<SummaryType>>> = {
  brief: ["brief"],
  medium: ["medium", "brief"],
  long: ["long", "medium", "brief"]
}

/**
 * Chooses the type of the summary, which is never longer than the requested one, or returns why
 * there is no summary.
 */
export const choose = (transcript: {
  readonly requested: SummaryType
  /** The length of the audio, including silence. */
  readonly durationMillis: number
  /** Whether the transcript has no speech. */
  readonly isEmpty: boolean
}): Result.Result<SummaryType, "transcript too short" | "transcript is empty"> => {
  if (transcript.isEmpty) return Result.fail("transcript is empty")
  const fitting = candidates[transcript.requested].find(
    (type) => transcript.durationMillis >= minimumMillis[type]
  )
  return fitting === undefined ? Result.fail("transcript too short") : Result.succeed(fitting)
}
