/**
 * The simulated decoder, speech engine and summarizer of one process. They use its clock and die
 * with it.
 */
import { Failure } from "@verbatim/core/attempt"
import {
  AudioDecoder,
  AudioDecoderError,
  type Readiness,
  Summarizer,
  SummarizerError,
  Transcriber
} from "@verbatim/core/ports"
import { sampleRate } from "@verbatim/core/transcription"
import { Context, Duration, Effect, Option } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import * as Recording from "../world/Recording.ts"
import type { World } from "../world/World.ts"
import { partsOf } from "./Media.ts"
import { type Engine, hangMillis, transcribe } from "./SpeechEngine.ts"

const { EngineFailed, EngineRefused, EngineUnavailable, MediaUndecodable } = Failure.cases

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

const summarize = ({ chance, strikes, takes }: Engine): Summarizer["Service"]["summarize"] =>
  Effect.fnUntraced(function* ({ transcript }) {
    yield* takes(100, 3_000)
    const hangs = strikes("summarizer hangs")
    if (hangs) yield* Effect.sleep(Duration.millis(hangMillis))
    if (hangs || strikes("summarizer fails")) {
      const reason = chance.chance(0.5) ? EngineFailed : EngineRefused
      return yield* new SummarizerError({ reason: reason.make({ detail: "it broke" }) })
    }
    const said = transcript.segments.map(({ text }) => text).join(" ")
    return `It was about ${Recording.mentions(said).join(" and ")}.`
  })

export const make = (
  world: World,
  lifetime: Lifetime
): Context.Context<AudioDecoder | Transcriber | Summarizer> => {
  const chance = world.dice(`engines of ${lifetime.actor.name}`)
  const strikes = (fault: FaultName) => world.faults.strikes(fault, lifetime.actor.name)
  const takes = (min: number, max: number) =>
    Effect.sleep(Duration.millis(chance.between(min, max)))
  const readyAt = world.timeline.now() + (strikes("engine is not ready") ? chance.below(60_000) : 0)
  const engine = { world, lifetime, chance, strikes, takes, pieceCount: 0 }
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
