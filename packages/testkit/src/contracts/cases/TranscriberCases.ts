/**
 * Contract cases for `Transcriber`. The test supplies a recording of speech, because engines differ
 * in what they recognise.
 */
import {
  type PiecePlan,
  type Recognised,
  type RecognisePieces,
  type Recognition,
  type SampleRange,
  Transcriber
} from "@verbatim/core/ports"
import { plainText } from "@verbatim/core/rendering"
import {
  type DecodedAudio,
  durationMillis,
  type Language,
  languageCode,
  PieceResult,
  sampleRate
} from "@verbatim/core/transcription"
import { Context, Effect, FileSystem, Result, Schema } from "effect"
import { atOnce, type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import type { Skip } from "../Vitest.ts"

/** Clear speech that the engine can recognise, and its text. */
export class Speech extends Context.Service<
  Speech,
  {
    readonly audio: DecodedAudio
    readonly text: string
    readonly language: Language
    /** The detected language's code, or `und` for an engine that does not detect languages. */
    readonly detected: string
    readonly unsupported: Language
  }
>()("@verbatim/testkit/contracts/cases/Speech") {}

type Ports = Transcriber | Speech | FileSystem.FileSystem

/**
 * Minimum share of recognised words in clear speech. Engines differ, but an engine below this share
 * did not understand the speech.
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

/** Returns the words of the rendered text, in which wrongly split or joined words do not count. */
const textOf = ({ language, segments }: Recognised): string =>
  plainText({ durationMillis: 0, language, segments })

/** Recognises the speech, and fails unless the result has most of its words. */
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

/** Length of a recording that is too long for one piece in any engine. */
const longSeconds = 35

/** Number of samples in 30 s, the maximum length of a piece. */
const pieceSamplesMax = 30 * sampleRate

/** Repeats the speech in a new file until it is too long for one piece. */
const writeLongSpeech = Effect.gen(function* () {
  const { audio } = yield* Speech
  const files = yield* FileSystem.FileSystem
  const samples = yield* files.readFile(audio.path)
  const times = Math.ceil((longSeconds * sampleRate) / audio.sampleCount)
  const path = `${yield* files.makeTempDirectoryScoped()}/long`
  yield* files.writeFile(path, Buffer.concat(Array.from({ length: times }, () => samples)))
  return { path, sampleCount: times * audio.sampleCount } satisfies DecodedAudio
})

const pieceResultJson = Schema.fromJsonString(PieceResult)

/** Converts a result to JSON and back, as a store does. */
const throughJson = (result: PieceResult) =>
  Effect.orDie(
    Effect.flatMap(
      Schema.encodeEffect(pieceResultJson)(result),
      Schema.decodeUnknownEffect(pieceResultJson)
    )
  )

/** Recognises a long recording in pieces, skipping pieces with stored results. */
const recogniseLong = Effect.fnUntraced(function* ({
  findStored = () => undefined,
  onCut = () => Effect.void,
  ...overrides
}: {
  readonly language?: null
  readonly findStored?: (index: number) => PieceResult | undefined
  /** Runs after the recording is cut, and before the first piece is recognised. */
  readonly onCut?: (audio: DecodedAudio, plan: PiecePlan) => Effect.Effect<unknown, unknown>
} = {}) {
  const audio = yield* writeLongSpeech
  const plans: Array<PiecePlan> = []
  const results: Array<PieceResult> = []
  const recognisePieces: RecognisePieces = Effect.fnUntraced(function* (plan) {
    plans.push(plan)
    yield* Effect.orDie(onCut(audio, plan))
    for (const [index, piece] of plan.cut.entries()) {
      const result = findStored(index) ?? (yield* plan.recognise(piece, [...results]))
      results.push(yield* throughJson(result))
    }
    return results
  })
  const recognised = yield* recognise({ audio, recognisePieces, ...overrides })
  const [plan] = plans
  if (plan === undefined) return yield* Effect.fail("the engine does not work in pieces")
  return { audio, plan, results, recognised }
})

/** Cuts a long recording into pieces, and recognises none of them. */
const cutLong = (overrides: { readonly language?: null } = {}) =>
  recogniseLong({ findStored: () => ({ segments: [] }), ...overrides })

const pieceCases: Cases<Ports> = listCases(Transcriber, {
  *"cuts equal recordings equally, with settings that differ for another language"() {
    const first = yield* cutLong()
    const second = yield* cutLong()
    yield* Expect.that("the cut is the same", second.plan.cut).is(first.plan.cut)
    yield* Expect.that("the settings are the same", second.plan.settings).is(first.plan.settings)
    const { plan } = yield* cutLong({ language: null })
    const { settings } = first.plan
    yield* Expect.holds("another language changes the settings", plan.settings !== settings)
  },
  *"cuts pieces of at most 30 s, in order and without overlaps"() {
    const { audio, plan } = yield* cutLong()
    const isValid = ({ from, to }: SampleRange, index: number) =>
      from >= (plan.cut[index - 1]?.to ?? 0) && to > from && to - from <= pieceSamplesMax
    yield* Expect.holds("every piece is valid", plan.cut.every(isValid))
    yield* Expect.holds(
      "the pieces are within the audio",
      (plan.cut.at(-1)?.to ?? 0) <= audio.sampleCount
    )
  },
  *"recognises only the piece whose result is not stored, and returns the same result"() {
    const files = yield* FileSystem.FileSystem
    const { recognised, results } = yield* recogniseLong()
    const missing = Math.floor(results.length / 2)
    yield* Expect.holds("there are several pieces", results.length > 1)
    yield* Expect.holds("there is speech in the piece", results[missing]?.segments.length !== 0)
    // All other audio is silent, so an engine that recognises other pieces again returns less text.
    const keepPiece = Effect.fnUntraced(function* ({ path }: DecodedAudio, { cut }: PiecePlan) {
      const samples = yield* files.readFile(path)
      const { from, to } = cut[missing] ?? { from: 0, to: 0 }
      yield* files.writeFile(path, samples.fill(0, 0, from * 2).fill(0, to * 2))
    })
    const again = yield* recogniseLong({
      findStored: (index) => (index === missing ? undefined : results[index]),
      onCut: keepPiece
    })
    yield* Expect.that("the pieces are the same", again.results).is(results)
    yield* Expect.that("the result is the same", again.recognised).is(recognised)
  },
  *"returns the same result if all pieces are stored, and recognises nothing"() {
    const files = yield* FileSystem.FileSystem
    const { recognised, results } = yield* recogniseLong()
    const removeAudio = ({ path }: DecodedAudio) => files.remove(path)
    const again = yield* recogniseLong({
      findStored: (index) => results[index],
      onCut: removeAudio
    })
    yield* Expect.that("the result is the same", again.recognised).is(recognised)
    const text = "stored"
    const segments = [{ startMillis: 0, endMillis: 1_000, text }]
    const other = yield* recogniseLong({ findStored: () => ({ segments }), onCut: removeAudio })
    const texts = other.recognised.segments.map((segment) => segment.text)
    yield* Expect.that("the result consists of the stored pieces", texts).is(
      results.map(() => text)
    )
  }
})

/**
 * Skips the cases about pieces and states the reason. Only an engine that needs whole recordings
 * may skip them.
 */
export const skipPieces = (reason: string): ReadonlyArray<Skip> =>
  pieceCases.map(({ title }) => ({ test: title, reason }))

const cases: Cases<Ports> = listCases(Transcriber, {
  *"is ready"(transcriber) {
    const readiness = yield* transcriber.readiness
    yield* Expect.that("the engine is ready", readiness._tag).is("Ready")
  },
  *"recognises most words in the requested language, and names its engine"() {
    const { language } = yield* Speech
    const { engine, language: actual } = yield* mostlyRecognised()
    yield* Expect.that("the result has the requested language", actual).is(language)
    yield* Expect.holds("the engine has a name", engine.trim() !== "")
  },
  *"recognises most words in a detected language, and returns the language's code"() {
    const { detected } = yield* Speech
    const { language: actual } = yield* mostlyRecognised({ language: null })
    yield* Expect.that("the result has the detected language", actual).is(detected)
  },
  *"refuses an unsupported language"() {
    const { unsupported } = yield* Speech
    yield* Expect.refuses(recognise({ language: unsupported }), "LanguageUnsupported")
  },
  *"returns the same segments in two concurrent runs, ordered by time and within the audio"() {
    const { audio } = yield* Speech
    const [first, second] = yield* atOnce([1, 2], () => recognise())
    const segments = first?.segments ?? []
    yield* Expect.holds(
      "the segments are in order and within the audio",
      isInOrder(segments, durationMillis(audio))
    )
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
    yield* Expect.holds(
      "the result's language has a code, or `und`",
      languageCode(language) === language
    )
  },
  *"fails with a reason when the audio file is missing"() {
    const { audio } = yield* Speech
    const gone = { ...audio, path: `${audio.path}.gone` }
    const outcome = yield* Effect.result(recognise({ audio: gone }))
    yield* Expect.holds("the recognition fails", Result.isFailure(outcome))
  }
})

export const contract: Contract<Ports> = {
  port: "Transcriber",
  cases: [...cases, ...pieceCases],
  advance: Effect.sleep
}
