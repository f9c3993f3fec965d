/**
 * Contract cases for `Transcriber`. The test supplies a recording of speech, because engines differ
 * in what they recognise.
 */
import { type Recognised, type Recognition, Transcriber } from "@verbatim/core/ports"
import { PlainRendering } from "@verbatim/core/rendering"
import {
  type DecodedAudio,
  durationMillis,
  type Language,
  languageCode
} from "@verbatim/core/transcription"
import { Context, Effect, FileSystem, Result } from "effect"
import { atOnce, type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** Clear speech that the engine can recognise, with its text. */
export class Speech extends Context.Service<
  Speech,
  {
    readonly audio: DecodedAudio
    readonly text: string
    /** A supported language. */
    readonly language: Language
    /** The code of the detected language; `und` for an engine that detects no language. */
    readonly detected: string
    /** An unsupported language. */
    readonly unsupported: Language
  }
>()("@verbatim/testkit/contracts/cases/Speech") {}

type Ports = Transcriber | Speech | FileSystem.FileSystem

/**
 * Minimum share of recognised words in clear speech. Engines differ, but with a smaller share, the
 * speech was not understood.
 */
const recognisedShareMin = 0.6

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []

const recognise = Effect.fnUntraced(function* (overrides: Partial<Recognition> = {}) {
  const { transcribe } = yield* Transcriber
  const { audio, language } = yield* Speech
  const plain = { initialPrompt: null, isVadFiltered: false, isDiarized: false }
  return yield* transcribe({ audio, language, ...plain, ...overrides })
})

/**
 * Returns the words of the rendered text, so that split or joined words do not count as recognised.
 */
const textOf = ({ language, segments }: Recognised): string =>
  PlainRendering.plainText({ durationMillis: 0, language, segments })

/** Recognises the speech; fails unless the result contains most of its words. */
const mostlyRecognised = Effect.fnUntraced(function* (overrides?: Partial<Recognition>) {
  const { text } = yield* Speech
  const outcome = yield* recognise(overrides)
  const heard = new Set(wordsOf(textOf(outcome)))
  const spoken = wordsOf(text)
  const share = spoken.filter((word) => heard.has(word)).length / spoken.length
  yield* Expect.holds(`most words, not ${share} of them`, share >= recognisedShareMin)
  return outcome
})

const isInOrder = (segments: Recognised["segments"], endMillis: number): boolean =>
  segments.every(
    (segment, index) =>
      Number.isInteger(segment.startMillis) &&
      Number.isInteger(segment.endMillis) &&
      segment.startMillis >= (segments[index - 1]?.startMillis ?? 0) &&
      segment.endMillis >= segment.startMillis &&
      segment.endMillis <= endMillis
  )

const cases: Cases<Ports> = listCases(Transcriber, {
  *"is ready"(transcriber) {
    const readiness = yield* transcriber.readiness
    yield* Expect.that("it is ready", readiness._tag).is("Ready")
  },
  *"recognises most words in the requested language, and names its engine"() {
    const { language } = yield* Speech
    const { engine, language: actual } = yield* mostlyRecognised()
    yield* Expect.that("it is the requested language", actual).is(language)
    yield* Expect.holds("the engine has a name", engine.trim() !== "")
  },
  *"recognises most words in a detected language, and returns the language's code"() {
    const { detected } = yield* Speech
    const { language: actual } = yield* mostlyRecognised({ language: null })
    yield* Expect.that("it is the detected language", actual).is(detected)
  },
  *"refuses a language that it does not support"() {
    const { unsupported } = yield* Speech
    yield* Expect.refuses(recognise({ language: unsupported }), "LanguageUnsupported")
  },
  *"returns the same segments in two concurrent runs, ordered by time and within the audio"() {
    const { audio } = yield* Speech
    const [first, second] = yield* atOnce([1, 2], () => recognise())
    const segments = first?.segments ?? []
    yield* Expect.holds("they are", isInOrder(segments, durationMillis(audio)))
    yield* Expect.that("one speaker without diarization", [
      ...new Set(segments.map(({ speaker }) => speaker))
    ]).is(["speaker_0"])
    yield* Expect.that("the same", second?.segments).is(segments)
  },
  *"returns no segments for silence"() {
    const files = yield* FileSystem.FileSystem
    const path = `${yield* files.makeTempDirectoryScoped()}/silence`
    const sampleCount = 3 * 16_000
    yield* files.writeFile(path, new Uint8Array(sampleCount * 2))
    const outcome = yield* recognise({ audio: { path, sampleCount } })
    yield* Expect.that("there are no segments", outcome.segments).is([])
    const { language } = yield* recognise({ audio: { path, sampleCount }, language: null })
    yield* Expect.holds("its language has a code, or `und`", languageCode(language) === language)
  },
  *"fails with a reason when the audio file is missing"() {
    const { audio } = yield* Speech
    const gone = { ...audio, path: `${audio.path}.gone` }
    const outcome = yield* Effect.result(recognise({ audio: gone }))
    yield* Expect.holds("it fails", Result.isFailure(outcome))
  }
})

export const contract: Contract<Ports> = { port: "Transcriber", cases, advance: Effect.sleep }
