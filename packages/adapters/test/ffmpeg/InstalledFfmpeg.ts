/**
 * This machine's ffmpeg. If no ffmpeg is installed, the tests that need it are skipped, and their
 * titles say so.
 */
import { Effect, Option } from "effect"
import { locate } from "#src/ffmpeg/SystemFfmpeg"

/** The program's path. Undefined if no ffmpeg is installed. */
export const installed = Option.getOrUndefined(await Effect.runPromise(locate))

/** The reason for skipping tests, as an addition to their titles. */
export const reason = installed === undefined ? " (skipped: there is no ffmpeg on PATH)" : ""

if (installed === undefined) {
  console.warn("Tests of the system's ffmpeg are skipped: there is no ffmpeg on PATH.")
}
