/**
 * Generates meetings with one to eight synthetic voices and known turns: flite, festival and
 * espeak-ng speak the sentences of a text. Word times are known for flite's voices. Each meeting
 * has a clean version, and a version with a room's echo and noise.
 */
import { execFile } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { AudioDecoder } from "@verbatim/core/ports"
import { wav } from "@verbatim/testkit/samples"
import { Effect, FileSystem } from "effect"
import type { Clip, SpeechSet } from "../../packages/adapters/test/speech/HumanSpeech.ts"
import type { TimedWord, Turn } from "./TimeErrors.ts"

/** A set of recordings. Word times and speakers are known for some of the recordings. */
export interface KnownSet extends SpeechSet {
  readonly clips: ReadonlyArray<
    Clip & {
      readonly timedWords?: ReadonlyArray<TimedWord>
      readonly turns?: ReadonlyArray<Turn>
    }
  >
}

/** Each voice's program and name. A meeting with n voices uses the first n. */
const voices = [
  ...["flite rms", "flite slt", "flite awb", "flite kal16", "festival ked_diphone"],
  ...["espeak-ng en-us", "espeak-ng en-us+f3", "espeak-ng en-gb-scotland+f5"]
]

const sampleRate = 16_000
const samplesIn = (millis: number): number => Math.round((millis * sampleRate) / 1_000)
const millisIn = (samples: number): number => Math.round((samples * 1_000) / sampleRate)

/**
 * Finds the timestamps of a sentence's words in flite's output, which lists phones with their end
 * times in seconds (`pau` is a pause). A word has as many phones in the sentence as when flite
 * speaks the word alone.
 */
const timeWords = (
  words: ReadonlyArray<string>,
  { alone, sentence }: { readonly alone: string; readonly sentence: string }
): ReadonlyArray<TimedWord> => {
  const phones = Array.from(sentence.matchAll(/([a-z]+):([\d.]+)/g), ([, name, end]) => ({
    name,
    endMillis: Math.round(Number(end) * 1_000)
  }))
    .map((phone, at, all) => ({ ...phone, startMillis: all[at - 1]?.endMillis ?? 0 }))
    .filter(({ name }) => name !== "pau")
  const counts = alone.split("pau").flatMap((word) => word.match(/[a-z]+/g)?.length ?? [])
  const total = counts.reduce((sum, count) => sum + count, 0)
  const areKnown = counts.length === words.length && total === phones.length
  let to = 0
  return words.map((text, index) => {
    const startMillis = phones[to]?.startMillis ?? 0
    to += counts[index] ?? 0
    const range = { startMillis, endMillis: phones[to - 1]?.endMillis ?? 0 }
    return { text, range: areKnown ? range : null }
  })
}

/** The loudness of all voices (root mean square, at most 1). */
const loudness = 0.06

/** Each program's arguments for speaking a sentence into a file. */
const synthesizers: Readonly<
  Record<string, (to: Record<"path" | "sentence" | "voice", string>) => ReadonlyArray<string>>
> = {
  flite: ({ path, sentence, voice }) => ["-voice", voice, "-psdur", "-o", path, "-t", sentence],
  "espeak-ng": ({ path, sentence, voice }) => ["-v", voice, "-w", path, sentence],
  festival: ({ path, sentence, voice }) => {
    const utterance = `(utt.synth (Utterance Text ${JSON.stringify(sentence)}))`
    return ["--batch", `(begin (voice_${voice}) (utt.save.wave ${utterance} "${path}" 'riff))`]
  }
}

/** Returns a function that synthesizes a sentence without leading or trailing silence. */
const makeSpeaker = (environment: Readonly<Record<string, string>>, folder: string) =>
  Effect.fnUntraced(function* (voice: string, sentence: string) {
    const { decode } = yield* AudioDecoder
    const [program = "", name = ""] = voice.split(" ")
    const path = join(folder, "sentence.wav")
    const words = sentence.match(/[\p{L}']+/gu) ?? []
    const run = (options: ReadonlyArray<string> = []) =>
      Effect.promise(() => promisify(execFile)(program, options, { env: environment }))
    const spoken = yield* run(synthesizers[program]?.({ path, sentence, voice: name }))
    const alone =
      program === "flite"
        ? yield* run(["-voice", name, "-ps", "-t", words.join(", "), "none"])
        : { stdout: "" }
    const decoded = yield* decode({ path, extension: ".wav", byteLength: statSync(path).size })
    const bytes = readFileSync(decoded.path)
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, at) =>
      bytes.readInt16LE(at * 2)
    )
    const loudest = samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    const isSound = (sample: number) => Math.abs(sample) >= loudest / 100
    const from = samples.findIndex(isSound)
    const sound = samples.subarray(from, samples.findLastIndex(isSound) + 1)
    const power = sound.reduce((sum, each) => sum + each * each, 0) / sound.length
    return {
      speaker: voice,
      samples: sound.map((each) => (each * loudness) / Math.sqrt(power)),
      silenceMillis: millisIn(from),
      words: timeWords(words, { alone: alone.stdout, sentence: spoken.stdout })
    }
  }, Effect.scoped)

/** Pauses between turns, in milliseconds. */
const pauses = [300, 700, 450, 900, 550]

const arrange = (
  spoken: ReadonlyArray<Effect.Success<ReturnType<ReturnType<typeof makeSpeaker>>>>
) => {
  let now = 0
  const placed = spoken.map(({ samples, silenceMillis, speaker, words }, turn) => {
    const startMillis = now + (pauses[turn % pauses.length] ?? 0)
    now = startMillis + millisIn(samples.length)
    const place = (millis: number) => startMillis - silenceMillis + millis
    const timed = words.map(({ range, text }) => ({
      text,
      range: range && { startMillis: place(range.startMillis), endMillis: place(range.endMillis) }
    }))
    return { samples, words: timed, speaker, startMillis, endMillis: now }
  })
  const samples = new Float32Array(samplesIn(now + 500))
  for (const each of placed) samples.set(each.samples, samplesIn(each.startMillis))
  return { samples, timedWords: placed.flatMap(({ words }) => words), turns: placed }
}

/** The room's echo delays, in milliseconds. An echo fades by 60 dB in 0.4 s. */
const delays = [29, 37, 41, 53]
const echoMillis = 400

/** White noise, 20 dB below speech. */
const noise = loudness / 10

/** Adds a room's echo and noise. The direct audio is not delayed. */
const addRoom = (samples: Float32Array): Float32Array => {
  let state = 1
  const result = samples.map((sample) => {
    // Knuth's linear congruential generator generates the same noise each time.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return sample + noise * Math.sqrt(3) * (state / 2 ** 31 - 1)
  })
  for (const millis of delays) {
    const delay = samplesIn(millis)
    const gain = 10 ** ((-3 * millis) / echoMillis)
    const echo = samples.slice()
    for (let at = delay; at < echo.length; at++) {
      const reflected = gain * (echo[at - delay] ?? 0)
      echo[at] = (echo[at] ?? 0) + reflected
      result[at] = (result[at] ?? 0) + reflected / 2
    }
  }
  return result
}

const toWav = (samples: Float32Array): Uint8Array => {
  const whole = Int16Array.from(samples, (each) =>
    Math.round(Math.min(Math.max(each, -1), 1) * (2 ** 15 - 1))
  )
  return wav({ sampleRate, channels: 1, sampleCount: whole.length }, new Uint8Array(whole.buffer))
}

/** Generates the meetings. Their files exist until the scope closes. */
export const generateMeetings = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  { keywords, text }: { readonly keywords: ReadonlyArray<string>; readonly text: string }
) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-meetings-" })
  const speak = makeSpeaker(environment, folder)
  const sentences = text.trim().split(/(?<=[.?])\s+/)
  const meetings = yield* Effect.forEach(voices, (_, index) => {
    const present = voices.slice(0, index + 1)
    // Each voice gets at least two turns; a single voice gets six.
    const turns = Array.from({ length: 2 * present.length + 4 }, (_turn, turn) =>
      speak(
        present[turn % present.length] ?? "",
        sentences[(turn + 3 * index) % sentences.length] ?? ""
      )
    )
    return Effect.map(Effect.all(turns), arrange)
  })
  const toSet = (title: string, change: (samples: Float32Array) => Float32Array): KnownSet => ({
    title: `meetings of 1 to ${voices.length} synthetic voices${title}`,
    keywords,
    clips: meetings.map(({ samples, timedWords, turns }, index) => {
      const path = join(folder, `${index}${title}.wav`)
      writeFileSync(path, toWav(change(samples)))
      return { path, words: timedWords.map((word) => word.text).join(" "), timedWords, turns }
    })
  })
  return [toSet("", (samples) => samples), toSet(", in a noisy room", addRoom)]
})
