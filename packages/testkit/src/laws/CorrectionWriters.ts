/** Many writers of the corrections of one transcript: they go one after the other. */
import {
  applyChange,
  type CorrectionStanding,
  makeCorrector,
  noCorrections,
  type Overlay
} from "@verbatim/core/correction"
import { CorrectionStore, Deadline, type Stores } from "@verbatim/core/ports"
import { Corrections, Transcripts } from "@verbatim/core/services"
import type { Transcript } from "@verbatim/core/transcription"
import { Clock, Context, Duration, Effect, Equal, Option } from "effect"
import { atOnce, type Case } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { jobId, upTo } from "../samples/Ids.ts"
import { withWorkspace } from "../samples/SampleWorkspace.ts"
import { insertHeard, makeServices, principalOf, short } from "./CorrectionProcesses.ts"

/** Writers at a time, each with services of its own, as if each were a process of its own. */
const writerMax = 16

/** Writes of each writer. Readers look four times as often. */
const roundMax = 2

const waitMax = Duration.toNanosUnsafe(Duration.minutes(5))

/** A write that was answered: between which moments, and with what. */
interface Written {
  readonly from: number
  readonly to: number
  readonly standing: CorrectionStanding
}

/** What was written, one version after another. */
const overlays = Effect.gen(function* () {
  const store = yield* CorrectionStore
  const found: Array<Overlay> = [noCorrections]
  for (let version = 1; ; version += 1) {
    const one = yield* store.version(jobId(1), version)
    if (Option.isNone(one)) return found
    found.push(applyChange(found.at(-1) ?? noCorrections, one.value))
  }
})

const toStanding = (version: number, { segments, speakers }: Overlay): CorrectionStanding => ({
  version,
  speakers: Object.fromEntries(speakers.map(({ name, speaker }) => [speaker, name ?? ""])),
  segment_count: segments.length
})

/** Moments, one after another. */
const makeMoments = () => {
  let moment = 0
  return () => {
    moment += 1
    return moment
  }
}

/** Fails unless the writes happened in the order of their versions, each between its moments. */
const expectInOrder = Effect.fnUntraced(function* (
  writes: ReadonlyArray<Written>,
  states: ReadonlyArray<Overlay>
) {
  const numbers = writes.map(({ standing }) => standing.version).sort((a, b) => a - b)
  yield* Expect.that("every write has a version of its own, and none is missing", numbers).is([
    ...upTo(states.length - 1)
  ])
  for (const { standing } of writes) {
    yield* Expect.that("a write is answered with what its version left", standing).is(
      toStanding(standing.version, states[standing.version] ?? noCorrections)
    )
  }
  const isBefore = (one: Written, other: Written) => one.to < other.from
  const swapped = writes.some((one) =>
    writes.some((other) => isBefore(one, other) && one.standing.version > other.standing.version)
  )
  yield* Expect.holds("who wrote after another was answered has a later version", !swapped)
})

/** What each writer does in a round: some name speakers, some correct segments, some go back. */
const writeRound = (
  corrections: Corrections["Service"],
  { round, writer }: { readonly round: number; readonly writer: number }
) => {
  const principal = principalOf(writer)
  const id = jobId(1)
  const said = `round ${round} of writer ${writer}`
  const send = (body: unknown) => ({ id, body: Effect.succeed(body) })
  if (writer % 4 === 0) {
    return corrections.nameSpeakers(
      principal,
      send({ [`speaker_${writer % 8 === 0 ? 0 : 1}`]: said })
    )
  }
  return corrections.correctSegments(principal, send([{ index: writer, text: said }]))
}

/** The cases. */
export const writers: ReadonlyArray<Case<Stores>> = [
  {
    title: "lets sixteen writers of one transcript go one after the other, and loses none",
    effect: withWorkspace(function* () {
      yield* insertHeard(short)
      const now = makeMoments()
      const written: Array<Written> = []
      const seen: Array<{ readonly from: number; readonly to: number; readonly read: Transcript }> =
        []
      const services = yield* Effect.forEach(upTo(writerMax), () => makeServices)
      const write = (context: (typeof services)[number], index: number) =>
        Effect.forEach(upTo(roundMax), (round) =>
          Effect.gen(function* () {
            const from = now()
            const corrections = Context.get(context, Corrections)
            const standing = yield* writeRound(corrections, { round, writer: index + 1 })
            written.push({ from, to: now(), standing })
          })
        )
      const look = (context: (typeof services)[number]) =>
        Effect.forEach(upTo(roundMax * 4), () =>
          Effect.gen(function* () {
            const from = now()
            const read = yield* Context.get(context, Transcripts).whole(jobId(1))
            if (Option.isSome(read)) seen.push({ from, to: now(), read: read.value })
          })
        )
      const readers = services.slice(0, 4)
      // They queue for one transcript: the last may wait longer than a caller would.
      const deadline = (yield* Clock.monotonicTimeNanos) + waitMax
      const patient = Effect.provideService(atOnce(services, write), Deadline, deadline)
      yield* Effect.all([patient, atOnce(readers, look)], {
        concurrency: "unbounded",
        discard: true
      })
      const states = yield* overlays
      yield* expectInOrder(written, states)
      yield* Expect.that("there are as many versions as writes", states.length - 1).is(
        writerMax * roundMax
      )
      for (const { from, read, to } of seen) {
        const version = states.findIndex((overlay) =>
          Equal.equals(makeCorrector(overlay)(short, 0), read)
        )
        // Whatever was answered before a look began is in it, and nothing that began after it.
        const isSeen = written.every(
          ({ standing, ...write }) =>
            (write.to > from || standing.version <= version) &&
            (write.from < to || standing.version > version)
        )
        yield* Expect.holds("a reader sees one version, of the time of its look", isSeen)
        yield* Expect.holds("what it sees is what a version left", version >= 0)
      }
    })
  },
  {
    title: "lets one of many writers in who all name the version that they saw",
    effect: withWorkspace(function* () {
      yield* insertHeard(short)
      const services = yield* Effect.forEach(upTo(writerMax), () => makeServices)
      for (const round of upTo(roundMax)) {
        const outcomes = yield* atOnce(services, (context, writer) =>
          Effect.option(
            Context.get(context, Corrections).nameSpeakers(principalOf(1), {
              id: jobId(1),
              body: Effect.succeed({ speaker_0: `${round} of ${writer}` }),
              match: [String(round - 1)]
            })
          )
        )
        yield* Expect.that(
          "the others are told that it has moved",
          outcomes.filter(Option.isSome).length
        ).is(1)
      }
    })
  }
]
