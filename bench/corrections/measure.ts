/**
 * Time and memory of each form of a transcript of ten hours with 5,000 corrections, beside the same
 * without: both sides read it from a SQLite file, turn by turn.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { decide, State } from "@verbatim/core/correction"
import { CorrectionStore } from "@verbatim/core/ports"
import { output, render } from "@verbatim/core/rendering"
import { Transcripts } from "@verbatim/core/services"
import { Modifier, type Transcript } from "@verbatim/core/transcription"
import {
  attemptStarted,
  commitJob,
  correctionId,
  foundFirst,
  insertJob,
  jobId,
  makeUploadJob,
  transcriptProduced,
  upTo,
  userId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { alternate, median, ratio } from "../Rounds.ts"
import { speeches, transcriptOf } from "../renderings/measure.ts"

const correctionCount = 5_000

const roundCount = 5

/** The same job twice: the second one is corrected. */
const ids = { corrected: jobId(2), plain: jobId(1) } as const

type Side = keyof typeof ids

const store = Effect.fnUntraced(function* (number: number, transcript: Transcript) {
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, { events: [transcriptProduced()], transcript })
})

/** Every twenty-fourth segment, and both speakers. */
const correct = Effect.fnUntraced(function* ({ segments }: Transcript) {
  const every = Math.floor(segments.length / correctionCount)
  const outline = {
    segments: segments.length,
    textLength: segments.reduce((length, { text }) => length + text.length, 0),
    speakers: ["speaker_0", "speaker_1"]
  }
  const change = {
    speakers: outline.speakers.map((speaker, index) => ({
      speaker,
      name: ["Ana", "Ben"][index] ?? ""
    })),
    segments: upTo(correctionCount).map((place) => ({
      index: (place - 1) * every,
      text: `corrected ${place},`,
      speaker: null
    }))
  }
  const author = {
    id: correctionId(1),
    at: DateTime.makeUnsafe(0),
    userId: userId(1),
    keyId: null,
    request: null
  }
  const state = State.cases.Recognised.make({ id: ids.corrected, outline })
  const decided = decide(state, { author, wish: { _tag: "Change", change } })
  const decision = Option.getOrThrow(Result.getOrThrow(decided))
  const corrections = yield* CorrectionStore
  yield* corrections.commit(decision)
})

/** Collects garbage now; V8 gives the function only to those who ask. */
const collect: () => void = (() => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc")
})()

interface Taken {
  readonly millis: number
  readonly bytes: number
}

/** The time that it takes, and what is held of it at the end. */
const take = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  collect()
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  const held = [yield* work]
  const millis = performance.now() - start
  collect()
  const bytes = process.memoryUsage().heapUsed - before
  // Held until here.
  held.pop()
  return { millis, bytes } satisfies Taken
})

/** The status in parts, each dropped when it is written. What is held is what a reader holds. */
const stream = Effect.fnUntraced(function* (id: (typeof ids)[Side]) {
  const transcripts = yield* Transcripts
  const readPart = yield* transcripts.open(id)
  let before: Parameters<typeof readPart>[0] = Option.none()
  let text = ""
  do {
    const part = yield* readPart(before)
    if (Option.isNone(part)) break
    text = JSON.stringify(output(part.value))
    const { count, durationMillis, language, next } = part.value
    before = Option.isSome(next)
      ? Option.some({ count, durationMillis, language, next })
      : Option.none()
  } while (Option.isSome(before))
  return [readPart, text] as const
})

const whole = (modifier: Modifier) =>
  Effect.fnUntraced(function* (id: (typeof ids)[Side]) {
    const { whole } = yield* Transcripts
    const transcript = Option.getOrThrow(yield* whole(id))
    return [transcript, render(modifier, transcript)] as const
  })

type Work = (id: (typeof ids)[Side]) => Effect.Effect<unknown, unknown, Transcripts>

const forms: ReadonlyArray<readonly [name: string, work: Work]> = [
  ...Modifier.literals.map((modifier) => [modifier, whole(modifier)] as const),
  ["status, streamed", stream]
]

const measure = Effect.gen(function* () {
  const context = yield* Effect.context<Transcripts>()
  for (const [name, work] of forms) {
    const run = (side: Side) => Effect.runPromiseWith(context)(take(work(ids[side])))
    const rounds = yield* Effect.promise(async () => {
      await run("corrected")
      await run("plain")
      return alternate(roundCount, (side) => run(side === "ours" ? "corrected" : "plain"))
    })
    const pick = (field: keyof Taken) => ({
      ours: rounds.ours.map((taken) => taken[field]),
      peer: rounds.peer.map((taken) => taken[field])
    })
    const [times, sizes] = [pick("millis"), pick("bytes")]
    const [millis, plainMillis] = [median(times.ours), median(times.peer)].map(Math.round)
    const [held, plainHeld] = [median(sizes.ours), median(sizes.peer)].map((bytes) =>
      (bytes / 1_048_576).toFixed(1)
    )
    console.log(
      `  ${name.padEnd(18)}time ${ratio(times).toFixed(2)}x ` +
        `(${millis} ms, without ${plainMillis})  memory ` +
        `${ratio(sizes).toFixed(2)}x (${held} MB, without ${plainHeld})`
    )
  }
})

/** Prints each form: with corrections, without, and the median of their ratios. */
export const measureCorrections = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-bench-"))
  const stores = Sqlite.layer({ filename: join(folder, "stores.db") })
  for (const [name, speech] of Object.entries(speeches).slice(0, 1)) {
    const transcript = transcriptOf(speech)
    console.log(`${name}: ${transcript.segments.length} segments, ${correctionCount} corrected`)
    const program = Effect.gen(function* () {
      yield* foundFirst
      yield* store(1, transcript)
      yield* store(2, transcript)
      yield* correct(transcript)
      yield* measure
    })
    await Effect.runPromise(
      program.pipe(
        Effect.provide(Layer.provideMerge(Transcripts.layer, stores)),
        Effect.scoped,
        Effect.orDie
      )
    )
  }
  rmSync(folder, { recursive: true })
}
