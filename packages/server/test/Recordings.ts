/** Recordings for the server: longer versions of the example, and silence. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { layer } from "@verbatim/adapters/ffmpeg"
import { AudioDecoder } from "@verbatim/core/ports"
import { Effect } from "effect"

const path = fileURLToPath(new URL("../../../examples/audio/harbour-meeting.flac", import.meta.url))

const sampleRate = 16_000

/** The samples of the example recording. */
const samples = async (): Promise<Int16Array> => {
  const decoded = Effect.gen(function* () {
    const decoder = yield* AudioDecoder
    const audio = yield* decoder.decode({ path, extension: ".flac", byteLength: 1 })
    const bytes = yield* Effect.promise(() => readFile(audio.path))
    return new Int16Array(bytes.buffer, bytes.byteOffset, audio.sampleCount)
  })
  return await Effect.runPromise(decoded.pipe(Effect.scoped, Effect.provide(layer())))
}

const quiet = 200

/** Finds pauses of a given number of seconds, and returns one offset in each pause. */
const pausesOf = (sound: Int16Array, seconds: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  const pauseSamples = seconds * sampleRate
  let quietFrom = 0
  for (let at = 0; at < sound.length; at += 1) {
    if (Math.abs(sound[at] ?? 0) > quiet) quietFrom = at + 1
    if (at - quietFrom === pauseSamples) found.push(at - pauseSamples / 2)
  }
  return found
}

/** Makes a WAV file with interleaved channels. */
const wav = (sound: Int16Array, channels = 1): Buffer => {
  const header = Buffer.alloc(44)
  header.write("RIFF")
  header.writeUInt32LE(36 + sound.byteLength, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(2 * sampleRate * channels, 28)
  header.writeUInt16LE(2 * channels, 32)
  header.writeUInt16LE(16, 34)
  header.write("data", 36)
  header.writeUInt32LE(sound.byteLength, 40)
  return Buffer.concat([header, Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength)])
}

/** The beginning of the meeting, up to the middle of a pause of at least 0.7 s. */
const turns = async (count: number): Promise<Int16Array> => {
  const sound = await samples()
  return sound.subarray(0, pausesOf(sound, 0.7)[count - 1])
}

/** The meeting, or its beginning, with longer pauses. */
export const slowMeeting = async (seconds: number, turnCount: number): Promise<Buffer> => {
  const sound = await turns(turnCount)
  const pauses = pausesOf(sound, 0.5)
  const missing = Math.max(0, seconds * sampleRate - sound.length)
  const added = Math.ceil(missing / pauses.length)
  const slow = new Int16Array(sound.length + pauses.length * added)
  let from = 0
  for (const [index, to] of [...pauses, sound.length].entries()) {
    slow.set(sound.subarray(from, to), from + index * added)
    from = to
  }
  return wav(slow)
}

/** Makes seconds of silence. */
export const silence = (seconds: number) =>
  new File([wav(new Int16Array(sampleRate * seconds))], "a.wav")
