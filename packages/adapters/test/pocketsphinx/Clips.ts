/** Provides the media folder's speech clips as decoded audio, with their words. */
import { join } from "node:path"
import type { DecodedAudio } from "@verbatim/core/transcription"
import { Effect, FileSystem } from "effect"

/** The words spoken in each clip. */
const clips = {
  "clip.wav": "i will write the letter tomorrow and send it to you on friday",
  "letter.wav": "i will write the letter tomorrow"
} as const

export const sentence = clips["clip.wav"]
export const letter = clips["letter.wav"]

/** The length of the WAV header that ffmpeg writes before a clip's samples. */
const headerBytes = 44

/**
 * Writes a clip's decoded audio, repeated the given number of times, to a file that exists until
 * the scope closes.
 */
export const decodedClip = Effect.fnUntraced(function* ({
  clip = "clip.wav",
  times = 1
}: {
  readonly clip?: keyof typeof clips
  readonly times?: number
} = {}) {
  const fs = yield* FileSystem.FileSystem
  const wav = yield* fs.readFile(join(import.meta.dirname, "../media", clip))
  const samples = wav.subarray(headerBytes)
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" })
  const path = join(folder, "clip.pcm")
  yield* fs.writeFile(path, Buffer.concat(Array.from({ length: times }, () => samples)))
  return {
    path,
    sampleCount: (samples.byteLength / 2) * times
  } satisfies DecodedAudio
})
