/** The spoken clip from the media folder, as decoded audio. */
import { join } from "node:path"
import { Effect, FileSystem } from "effect"

/** The clip's words. */
export const sentence = "i will write the letter tomorrow and send it to you on friday"

/** The WAV header before the samples, as ffmpeg writes `clip.wav`. */
const headerBytes = 44

/** Writes the clip to a file that exists until the scope closes. */
export const clip = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const wav = yield* fs.readFile(join(import.meta.dirname, "../media/clip.wav"))
  const samples = wav.subarray(headerBytes)
  const path = join(yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" }), "clip")
  yield* fs.writeFile(path, samples)
  return { path, sampleCount: samples.byteLength / 2 }
})
