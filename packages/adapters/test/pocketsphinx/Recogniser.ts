/**
 * The real recogniser for the tests, from PATH or the user's cache. If it is missing, it is
 * installed into that cache once. On a system without apt, the tests that need it are skipped.
 */
import { homedir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { install } from "@verbatim/adapters/pocketsphinx"
import type { DecodedAudio } from "@verbatim/core/transcription"
import { Console, Effect, FileSystem } from "effect"

/** The user's cache folder, which is also the server's default. */
export const cacheDirectory =
  env.VERBATIM_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "verbatim")

/** The recogniser, or undefined on a system without apt. */
export const recogniser = await Effect.runPromise(
  install({ cacheDirectory, report: Console.log }).pipe(
    Effect.catchIf(
      ({ obstacle }) => obstacle === "AptMissing",
      ({ sentence }) => Effect.as(Console.warn(`skipped: ${sentence}`), undefined)
    ),
    Effect.provide(nodeServices)
  )
)

/** The words spoken in each clip. */
const clips = {
  "clip.wav": "i will write the letter tomorrow and send it to you on friday",
  "letter.wav": "i will write the letter tomorrow"
} as const

export const sentence = clips["clip.wav"]
export const letter = clips["letter.wav"]

/** The WAV header before the samples, as ffmpeg writes a clip. */
const headerBytes = 44

/**
 * Writes a clip as decoded audio, repeated the given number of times, to a file that exists until
 * the scope closes.
 */
export const decodedClip = Effect.fnUntraced(function* (options: {
  readonly clip?: keyof typeof clips
  readonly times: number
  readonly name: string
}) {
  const fs = yield* FileSystem.FileSystem
  const wav = yield* fs.readFile(join(import.meta.dirname, "../media", options.clip ?? "clip.wav"))
  const samples = wav.subarray(headerBytes)
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" })
  const path = join(folder, options.name)
  yield* fs.writeFile(path, Buffer.concat(Array.from({ length: options.times }, () => samples)))
  return {
    path,
    sampleCount: (samples.byteLength / 2) * options.times
  } satisfies DecodedAudio
})
