/** This machine's ffmpeg. If there is none, the tests that need it are skipped and say so. */
import { Effect, Option } from "effect"
import { locate } from "#src/ffmpeg/SystemFfmpeg"

/** The program's path. Undefined if there is none. */
export const installed = Option.getOrUndefined(await Effect.runPromise(locate))

/** The reason for skipping tests, as an addition to their titles. */
export const reason = installed === undefined ? " (skipped: there is no ffmpeg on PATH)" : ""

if (installed === undefined) {
  console.warn("Tests of the system's ffmpeg are skipped: there is no ffmpeg on PATH.")
}
