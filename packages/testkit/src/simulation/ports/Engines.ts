/**
 * One process's simulated decoder, speech engine and summarizer. These engines run on the process's
 * clock and die with the process.
 */
import { Failure } from "@verbatim/core/attempt"
import {
  AudioDecoder,
  AudioDecoderError,
  type Readiness,
  Summarizer,
  SummarizerError,
  Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import { type Segment, sampleRate } from "@verbatim/core/transcription"
import { Context, Duration, Effect, Option } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { FaultName } from "../faults/FaultCatalogue.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import * as Recording from "../world/Recording.ts"
import { engineDeath, type World } from "../world/World.ts"
import { partsOf } from "./Media.ts"

/** For each recording, the process lifetimes whose engines work on it. */
export type Running = Map<string, Set<Lifetime>>

/**
 * Strings that stores, formats and headers treat differently. None of these strings mentions a job.
 */
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

const { EngineFailed, EngineUnavailable, MediaUndecodable } = Failure.cases

const makeEngineError = () =>
  new TranscriberError({ reason: EngineFailed.make({ detail: "it broke" }) })

/** Returns the segments that the engine recognises in a recording. */
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
const hangMillis = 180_000

/** State that a process's engines share. */
interface Engine {
  readonly world: World
  readonly lifetime: Lifetime
  readonly running: Running
  readonly chance: Dice
  readonly strikes: (fault: FaultName) => boolean
  readonly takes: (min: number, max: number) => Effect.Effect<void>
}

/** A recording that is transcribed for a job. */
interface Heard {
  readonly marker: string
  readonly jobId: string
}

const decode = ({ strikes, takes }: Engine): AudioDecoder["Service"]["decode"] =>
  Effect.fnUntraced(function* ({ path }) {
    yield* takes(10, 500)
    if (strikes("decoder fails")) {
      return yield* new AudioDecoderError({
        reason: EngineUnavailable.make({ detail: "it broke" })
      })
    }
    const recording = Recording.parse(partsOf(path).bytes)
    if (Option.isNone(recording)) {
      return yield* new AudioDecoderError({ reason: MediaUndecodable.make({ detail: "poison" }) })
    }
    return { path, sampleCount: (recording.value.durationMillis * sampleRate) / 1_000 }
  })

const occupy = ({ lifetime, running, world }: Engine, { jobId, marker }: Heard) => {
  const lifetimes = running.get(marker) ?? new Set<Lifetime>()
  running.set(marker, lifetimes.add(lifetime))
  lifetime.hearing.add(jobId)
  if (lifetime.hearing.size > 1) world.attempts.ranTogether(lifetime.actor, lifetime.hearing)
  return lifetimes
}

const recognise = Effect.fnUntraced(function* (
  { chance, lifetime, strikes, takes }: Engine,
  recording: Recording.Recording
) {
  yield* takes(300, 8_000)
  if (recording.isLethal) {
    lifetime.crash("it hears what no process survives")
    return yield* Effect.never
  }
  if (strikes("engine hangs")) {
    yield* Effect.sleep(Duration.millis(hangMillis))
    return yield* makeEngineError()
  }
  if (strikes("engine is late")) yield* takes(30_000, lateMaxMillis)
  if (strikes("engine dies")) return yield* Effect.die(engineDeath)
  if (strikes("engine fails")) return yield* makeEngineError()
  const poison = chance.pick(poisonTexts)
  const language: "de" | "en" = strikes("transcript is wrong") ? "de" : "en"
  return { engine: "simulated", language, segments: segmentsOf(recording, { poison, strikes }) }
})

const transcribe =
  (engine: Engine): Transcriber["Service"]["transcribe"] =>
  ({ audio }) =>
    Effect.suspend(() => {
      const { bytes, jobId } = partsOf(audio.path)
      const recording = Recording.parse(bytes)
      if (Option.isNone(recording)) return Effect.die("what was decoded is no recording")
      return Effect.acquireUseRelease(
        Effect.sync(() => occupy(engine, { marker: recording.value.marker, jobId })),
        () => recognise(engine, recording.value),
        (lifetimes) =>
          Effect.sync(() => {
            lifetimes.delete(engine.lifetime)
            engine.lifetime.hearing.delete(jobId)
          })
      )
    })

const summarize = ({ strikes, takes }: Engine): Summarizer["Service"]["summarize"] =>
  Effect.fnUntraced(function* ({ transcript }) {
    yield* takes(100, 3_000)
    const hangs = strikes("summarizer hangs")
    if (hangs) yield* Effect.sleep(Duration.millis(hangMillis))
    if (hangs || strikes("summarizer fails")) {
      return yield* new SummarizerError({ reason: EngineFailed.make({ detail: "it broke" }) })
    }
    const said = transcript.segments.map(({ text }) => text).join(" ")
    return `It was about ${Recording.mentions(said).join(" and ")}.`
  })

/** Makes the engines for a process. */
export const make = (
  world: World,
  { lifetime, running }: Pick<Engine, "lifetime" | "running">
): Context.Context<AudioDecoder | Transcriber | Summarizer> => {
  const chance = world.dice(`engines of ${lifetime.actor.name}`)
  const strikes = (fault: FaultName) => world.faults.strikes(fault, lifetime.actor.name)
  const takes = (min: number, max: number) =>
    Effect.sleep(Duration.millis(chance.between(min, max)))
  const readyAt = world.timeline.now() + (strikes("engine is not ready") ? chance.below(60_000) : 0)
  const engine = { world, lifetime, running, chance, strikes, takes }
  return Context.empty().pipe(
    Context.add(AudioDecoder, {
      decode: decode(engine),
      digest: ({ path }, { from, to }) => Effect.sync(() => `${partsOf(path).bytes} ${from} ${to}`)
    }),
    Context.add(Transcriber, {
      readiness: Effect.sync(
        (): Readiness =>
          world.faults.isCalm() || world.timeline.now() >= readyAt
            ? { _tag: "Ready", engine: "simulated" }
            : { _tag: "Preparing", sentence: "It is on its way." }
      ),
      transcribe: transcribe(engine)
    }),
    Context.add(Summarizer, { summarize: summarize(engine) })
  )
}
