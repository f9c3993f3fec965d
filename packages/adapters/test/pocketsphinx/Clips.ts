/** Provides the speech clips from the media folder as decoded audio, with their words. */
import { join } from "node:path"
import type { DecodedAudio, Language } from "@verbatim/core/transcription"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Effect, FileSystem, Layer } from "effect"

/** The words of each clip. */
const clips = {
  "clip.wav": "i will write the letter tomorrow and send it to you on friday",
  "letter.wav": "i will write the letter tomorrow"
} as const

export const sentence = clips["clip.wav"]
export const letter = clips["letter.wav"]

/** The length of the WAV header that ffmpeg writes. */
const headerBytes = 44

/**
 * Writes the decoded audio of a clip, repeated the given number of times. The file is removed when
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

/** Provides a clip for the contract, with the language that the engine detects in the clip. */
export const speech = ({
  clip = "clip.wav",
  detected = "en",
  unsupported = "cy"
}: {
  readonly clip?: keyof typeof clips
  readonly detected?: string
  readonly unsupported?: Language
} = {}) =>
  Layer.effect(
    TranscriberContract.Speech,
    Effect.map(decodedClip({ clip }), (audio) => ({
      ...{ audio, detected, unsupported },
      text: clips[clip],
      language: "en" as const
    }))
  )
