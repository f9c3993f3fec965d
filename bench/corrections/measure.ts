/**
 * Time, processor time and memory of each form of a transcript of ten hours with 5,000 corrections,
 * beside the same without: both sides read it from a SQLite file, turn by turn. The processor time
 * is that of all threads, so it counts the collection of garbage as well.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { decide, State } from "@verbatim/core/correction"
import { CorrectionStore } from "@verbatim/core/ports"
import { formOf, output } from "@verbatim/core/rendering"
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

/** Short rounds, and many: other work of the machine hits some of them. */
const roundCount = 21

/** Before the first round, so that all code is compiled. */
const warmUpCount = 3

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
  readonly cpuMillis: number
  readonly bytes: number
}

/** All threads of this program, in milliseconds. */
const cpuMillisOf = ({ system, user }: NodeJS.CpuUsage): number => (system + user) / 1_000

/** The time that it takes, and what is held of it at the end. */
const take = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  collect()
  const before = process.memoryUsage().heapUsed
  const startCpu = process.cpuUsage()
  const start = performance.now()
  const held = [yield* work]
  const millis = performance.now() - start
  const cpuMillis = cpuMillisOf(process.cpuUsage(startCpu))
  collect()
  const bytes = process.memoryUsage().heapUsed - before
  // Held until here.
  held.pop()
  return { millis, cpuMillis, bytes } satisfies Taken
})

/**
 * The status in parts, each dropped when it is written. What is held is what a reader holds while
 * the largest part is written.
 */
const stream = Effect.fnUntraced(function* (id: (typeof ids)[Side]) {
  const transcripts = yield* Transcripts
  const readPart = yield* transcripts.open(id)
  let before: Parameters<typeof readPart>[0] = Option.none()
  let largest: readonly [part: unknown, text: string] = [undefined, ""]
  do {
    const part = yield* readPart(before)
    if (Option.isNone(part)) break
    const text = JSON.stringify(output(part.value))
    if (text.length > largest[1].length) largest = [part, text]
    const { count, durationMillis, language, next } = part.value
    before = Option.isSome(next)
      ? Option.some({ count, durationMillis, language, next })
      : Option.none()
  } while (Option.isSome(before))
  return [readPart, largest] as const
})

const whole = (modifier: Modifier) =>
  Effect.fnUntraced(function* (id: (typeof ids)[Side]) {
    const { whole } = yield* Transcripts
    const { hasSpeakers, make } = formOf(modifier)
    const transcript = Option.getOrThrow(yield* whole(id, { hasSpeakers }))
    return [transcript, make(transcript)] as const
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
      for (let count = 0; count < warmUpCount; count += 1) {
        await run("corrected")
        await run("plain")
      }
      return alternate(roundCount, (side) => run(side === "ours" ? "corrected" : "plain"))
    })
    const pick = (field: keyof Taken) => ({
      ours: rounds.ours.map((taken) => taken[field]),
      peer: rounds.peer.map((taken) => taken[field])
    })
    const tell = (field: keyof Taken, inUnits: (value: number) => string) => {
      const taken = pick(field)
      const [ours, peer] = [median(taken.ours), median(taken.peer)].map(inUnits)
      return `${ratio(taken).toFixed(2)}x (${ours}, without ${peer})`
    }
    const inMillis = (value: number) => `${Math.round(value)} ms`
    const inMegabytes = (value: number) => `${(value / 1_048_576).toFixed(1)} MB`
    console.log(
      `  ${name.padEnd(18)}time ${tell("millis", inMillis)}  ` +
        `cpu ${tell("cpuMillis", inMillis)}  memory ${tell("bytes", inMegabytes)}`
    )
  }
})

/** A transcript of segments, and one in which every word is timed too. */
const measured = ["English, two speakers", "English, words timed"]

/** Prints each form: with corrections, without, and the median of their ratios. */
export const measureCorrections = async (): Promise<void> => {
  for (const name of measured) {
    const speech = speeches[name]
    if (speech === undefined) continue
    const folder = mkdtempSync(join(tmpdir(), "verbatim-bench-"))
    const stores = Sqlite.layer({ filename: join(folder, "stores.db") })
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
    rmSync(folder, { recursive: true })
  }
}
