/**
 * The simulated speech engine of one process. It recognises most recordings in pieces, and faults
 * can strike at any piece. Mistakes in the text depend only on the recording and the settings, so a
 * piece always gives the same result.
 */
import { Failure } from "@verbatim/core/attempt"
import {
  cutUnstored,
  type Recognised,
  type Recognition,
  recogniseUnstored,
  type Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import {
  type PieceResult,
  placePiece,
  type Segment,
  sampleRate
} from "@verbatim/core/transcription"
import { Duration, Effect, Option } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { FaultName } from "../faults/Faults.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import * as Recording from "../world/Recording.ts"
import * as Speech from "../world/Speech.ts"
import { currentAttempt, engineDeath, type World } from "../world/World.ts"
import { partsOf } from "./Media.ts"

/** Strings that stores, formats and headers treat differently. No string mentions a job. */
export const poisonTexts: ReadonlyArray<string> = [
  "a\u0000b",
  "\ud83d",
  "\u2028\u2029\u0085",
  "</script><!-- --> &amp; \"'`$(x)",
  "__proto__ constructor",
  "\u202eright to left",
  "WEBVTT\n\n00:00:00.000 --> 00:00:01.000",
  "1\r\n2\r\n\r\n",
  "e\u0301\u200d\ufeff"
]

/** State shared by the engines of a process. */
export interface Engine {
  readonly world: World
  readonly lifetime: Lifetime
  readonly chance: Dice
  readonly strikes: (fault: FaultName) => boolean
  readonly takes: (min: number, max: number) => Effect.Effect<void>
  /** Number of pieces that the engine is recognising. */
  pieceCount: number
}

const makeEngineError = () =>
  new TranscriberError({ reason: Failure.cases.EngineFailed.make({ detail: "it broke" }) })

/** Returns the segments that the engine recognises in a whole recording. */
const segmentsOf = (
  { durationMillis, isSilent, marker }: Recording.Recording,
  { poison, strikes }: { readonly poison: string; readonly strikes: (fault: FaultName) => boolean }
): ReadonlyArray<Segment> => {
  if (isSilent) return []
  const half = Math.floor(durationMillis / 2)
  const extra = strikes("transcript is poison") ? ` ${poison}` : ""
  const whole: ReadonlyArray<Segment> = [
    { startMillis: 0, endMillis: half, speaker: "speaker_0", text: `This is ${marker}.${extra}` },
    { startMillis: half, endMillis: durationMillis, speaker: "speaker_1", text: `Yes, ${marker}.` }
  ]
  if (strikes("transcript is partial")) return whole.slice(0, 1)
  return strikes("transcript is wrong") ? whole.toReversed() : whole
}

const lateMaxMillis = 100_000

/** Milliseconds until an engine that hangs fails. */
export const hangMillis = 180_000

/** Lets faults strike an engine while it works. */
const beStruck = Effect.fnUntraced(function* ({ strikes, takes }: Engine) {
  if (strikes("engine hangs")) {
    yield* Effect.sleep(Duration.millis(hangMillis))
    return yield* makeEngineError()
  }
  if (strikes("engine is late")) yield* takes(30_000, lateMaxMillis)
  if (strikes("engine dies")) return yield* Effect.die(engineDeath)
  if (strikes("engine fails")) return yield* makeEngineError()
})

/** Crashes the process at the piece that kills every process. */
const crash = ({ lifetime }: Engine) => {
  lifetime.crash("it hears what no process survives")
  return Effect.never
}

const recogniseWhole = Effect.fnUntraced(function* (
  engine: Engine,
  recording: Recording.Recording
) {
  const { chance, strikes, takes } = engine
  yield* takes(300, 8_000)
  if (recording.isLethal) return yield* crash(engine)
  yield* beStruck(engine)
  const poison = chance.pick(poisonTexts)
  const language = strikes("transcript is wrong") ? "de" : "en"
  return { engine: "simulated", language, segments: segmentsOf(recording, { poison, strikes }) }
})

/** Returns the mistakes in a piece, and draws them when the piece is first recognised. */
const mistakesIn = ({ chance, strikes, world }: Engine, piece: string): Speech.Mistakes => {
  const known = world.hearings.mistakes.get(piece) ?? {
    isPartial: strikes("transcript is partial"),
    isWrong: strikes("transcript is wrong"),
    extra: strikes("transcript is poison") ? ` ${chance.pick(poisonTexts)}` : ""
  }
  world.hearings.mistakes.set(piece, known)
  return known
}

/** Returns what the engine recognises in a piece. */
const resultOf = (
  recording: Recording.Recording,
  given: Speech.PieceContext,
  { extra, isPartial, isWrong }: Speech.Mistakes
): PieceResult => {
  const language = isWrong ? "de" : "en"
  if (recording.isSilent) return { language, segments: [] }
  const [first, second] = Speech.sentencesOf(recording, given)
  const poisoned = { ...first, text: `${first.text}${extra}` }
  if (isPartial) return { language, segments: [poisoned] }
  return { language, segments: isWrong ? [second, poisoned] : [poisoned, second] }
}

/** Average number of opportunities for a fault to strike in a recording. */
const opportunities = 2

const hearPiece = Effect.fnUntraced(function* (
  engine: Engine,
  recording: Recording.Recording,
  {
    attempt,
    count,
    ...given
  }: Speech.PieceContext & { readonly attempt: number; readonly count: number }
) {
  const { chance, lifetime, takes, world } = engine
  const mistakes = mistakesIn(engine, JSON.stringify([recording, given.language, given.index]))
  const result = resultOf(recording, given, mistakes)
  const { language = "", segments } = result
  world.trace.add(lifetime.actor.name, `hears piece ${given.index} of ${recording.marker}`)
  const answer = { language, sentences: segments.length, atOnce: engine.pieceCount }
  world.facts.push({ _tag: "PieceHeard", attempt, index: given.index, ...answer })
  yield* takes(100, 2_500)
  if (recording.isLethal && given.index === Speech.lethalIndex(recording)) {
    return yield* crash(engine)
  }
  if (chance.chance(opportunities / count)) yield* beStruck(engine)
  return result
})

/** Counts a piece while the engine recognises it. */
const occupySlot = <A, E>(engine: Engine, hearing: Effect.Effect<A, E>) => {
  const change = (by: number) =>
    Effect.sync(() => {
      engine.pieceCount += by
    })
  return Effect.acquireUseRelease(
    change(1),
    () => hearing,
    () => change(-1)
  )
}

const recognisePieces = Effect.fnUntraced(function* (
  engine: Engine,
  recording: Recording.Recording,
  { jobId, ...recognition }: Recognition & { readonly jobId: string }
) {
  const { lifetime, world } = engine
  const { cutOnce = cutUnstored, language } = recognition
  const { recognisePieces: recognise = recogniseUnstored } = recognition
  const isInContext = recording.hearing === "context"
  const times = Speech.cut(recording)
  const attempt = yield* currentAttempt(world)
  const by = lifetime.actor.name
  world.facts.push({ _tag: "PiecesBegan", id: jobId, by, attempt, recording, language })
  const toSample = (millis: number) => (millis * sampleRate) / 1_000
  const found = times.map(({ endMillis, startMillis }) => ({
    from: toSample(startMillis),
    to: toSample(endMillis)
  }))
  const cut = yield* cutOnce("simulated", Effect.succeed(found))
  const results = yield* recognise({
    cut,
    settings: JSON.stringify(["simulated", language]),
    isInContext,
    recognise: (piece, results) => {
      const index = cut.findIndex(({ from }) => from === piece.from)
      const before = isInContext ? results.flatMap(({ segments }) => segments).length : null
      const given = { attempt, count: cut.length, index, language, before }
      return occupySlot(engine, hearPiece(engine, recording, given))
    }
  })
  const segments = results.flatMap((result, index) => {
    const { endMillis, startMillis } = times[index] ?? { startMillis: 0, endMillis: 0 }
    return placePiece({ startMillis, endMillis, result })
  })
  const recognised: Recognised = {
    engine: "simulated",
    language: language ?? results[0]?.language ?? "en",
    segments: segments.map((segment) => ({ speaker: "speaker_0", ...segment }))
  }
  return recognised
})

/** Counts an attempt while the engine works on it. */
const occupy = ({ lifetime, world }: Engine, jobId: string) => {
  const attempt = { jobId }
  lifetime.hearing.add(attempt)
  const jobIds = new Set(Array.from(lifetime.hearing, (each) => each.jobId))
  if (jobIds.size > 1) world.attempts.ranTogether(lifetime.actor, jobIds)
  return attempt
}

/** Recognises a recording, as a whole or in pieces. */
export const transcribe =
  (engine: Engine): Transcriber["Service"]["transcribe"] =>
  (recognition) =>
    Effect.suspend(() => {
      const { bytes, jobId } = partsOf(recognition.audio.path)
      const parsed = Recording.parse(bytes)
      if (Option.isNone(parsed)) return Effect.die("what was decoded is no recording")
      const recording = parsed.value
      const recognise =
        recording.hearing === "whole"
          ? recogniseWhole(engine, recording)
          : recognisePieces(engine, recording, { ...recognition, jobId })
      return Effect.acquireUseRelease(
        Effect.sync(() => occupy(engine, jobId)),
        (): Effect.Effect<Recognised, TranscriberError> => recognise,
        (attempt) => Effect.sync(() => engine.lifetime.hearing.delete(attempt))
      )
    })
