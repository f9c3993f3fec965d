/**
 * Laws of corrections over any store, with concurrent writers. The results equal those of the pure
 * functions applied in sequence, and every reader sees exactly one version.
 */

import {
  applyChange,
  type CorrectionsSummary,
  makeCorrector,
  noCorrections,
  type Overlay
} from "@verbatim/core/correction"
import type { Job } from "@verbatim/core/job"
import { CorrectionStore, Deadline, type Stores } from "@verbatim/core/ports"
import { output } from "@verbatim/core/rendering"
import { Corrections, Deliveries, Services, Transcripts } from "@verbatim/core/services"
import type { Transcript } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Clock, Context, Duration, Effect, Equal, Layer, Option } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { atOnce, type Case, type Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { FakeMedia } from "../fakes/FakeMedia.ts"
import { FakeWebhookSender } from "../fakes/FakeWebhookSender.ts"
import { apiKeyId, jobId, upTo, userId, workspaceId } from "../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../samples/SampleEvent.ts"
import { makePendingJob, makeUploadJob } from "../samples/SampleJob.ts"
import { transcriptOf } from "../samples/SampleTranscript.ts"
import { instant, withWorkspace } from "../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../samples/Stored.ts"

/** A transcript that is read in one part. */
const short: Transcript = transcriptOf(
  Array.from({ length: 20 }, (_, index) => `Segment ${index}.`)
)

/** A transcript that is read in several parts. */
const long: Transcript = transcriptOf(
  Array.from({ length: 4_000 }, (_, index) => `Segment ${index}, ${"spoken ".repeat(10)}`)
)

const crypto = Layer.provideMerge(
  Layer.merge(Digest.layerWebCrypto, Mac.layerWebCrypto),
  SecureRandom.layerWebCrypto
)

/** Builds the services for one process. */
const makeServices = Layer.build(
  Services.layer.pipe(
    Layer.merge(
      Deliveries.layer.pipe(
        Layer.provide(Transcripts.layer),
        Layer.provide(FakeWebhookSender.layer)
      )
    ),
    Layer.provide([Layer.provide(FakeMedia.layer, crypto), crypto]),
    Layer.fresh
  )
)

/**
 * Returns the caller with the given number. The callers are users of one workspace, each with a
 * key.
 */
const principalOf = (number: number): Principal => ({
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(number),
  keyId: apiKeyId(number)
})

/** Inserts a job with the given transcript and a pending webhook. */
const insertHeard = Effect.fnUntraced(function* (transcript: Transcript) {
  const { delivery } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(1, { delivery })), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, { events: [transcriptProduced()], transcript })
})

/** Number of concurrent writers, each of which uses separate services, like separate processes. */
const writerMax = 16

/** Number of writes per writer. Readers read four times as often. */
const roundMax = 2

const waitMax = Duration.toNanosUnsafe(Duration.minutes(5))

/** An answered write: its start, its end and its answer. */
interface Written {
  readonly from: number
  readonly to: number
  readonly standing: CorrectionsSummary
}

/** Reads all versions in order, and returns the overlay as of each version. */
const overlays = Effect.gen(function* () {
  const store = yield* CorrectionStore
  const found: Array<Overlay> = [noCorrections]
  for (let version = 1; ; version += 1) {
    const one = yield* store.version(jobId(1), version)
    if (Option.isNone(one)) return found
    found.push(applyChange(found.at(-1) ?? noCorrections, one.value))
  }
})

const toStanding = (version: number, { segments, speakers }: Overlay): CorrectionsSummary => ({
  version,
  speakers: Object.fromEntries(speakers.map(({ name, speaker }) => [speaker, name ?? ""])),
  segment_count: segments.length
})

/** Makes a counter that numbers moments in order. */
const makeMoments = () => {
  let moment = 0
  return () => {
    moment += 1
    return moment
  }
}

/**
 * Fails unless the writes took effect in the order of their versions, each between its start and
 * its end.
 */
const expectInOrder = Effect.fnUntraced(function* (
  writes: ReadonlyArray<Written>,
  states: ReadonlyArray<Overlay>
) {
  const numbers = writes.map(({ standing }) => standing.version).sort((a, b) => a - b)
  yield* Expect.that("every write has its own version, and none is missing", numbers).is([
    ...upTo(states.length - 1)
  ])
  for (const { standing } of writes) {
    yield* Expect.that("a write returns the corrections as of its version", standing).is(
      toStanding(standing.version, states[standing.version] ?? noCorrections)
    )
  }
  const isBefore = (one: Written, other: Written) => one.to < other.from
  const swapped = writes.some((one) =>
    writes.some((other) => isBefore(one, other) && one.standing.version > other.standing.version)
  )
  yield* Expect.holds("a write started after an answer has a later version", !swapped)
})

/** The writes in a round: some name speakers, some correct segments, and some restore a version. */
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

const writers: ReadonlyArray<Case<Stores>> = [
  {
    title: "writes every correction of sixteen concurrent writers of one transcript",
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
      // The writers queue for one transcript, and the last writer can wait longer than a real
      // caller would.
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
        // A read includes every write that was answered before the read began, but no write that
        // began after the read ended.
        const isSeen = written.every(
          ({ standing, ...write }) =>
            (write.to > from || standing.version <= version) &&
            (write.from < to || standing.version > version)
        )
        yield* Expect.holds("a reader sees one version, current at the time of its read", isSeen)
        yield* Expect.holds("it shows the corrections as of one version", version >= 0)
      }
    })
  },
  {
    title: "accepts one of many concurrent writers that expect the same version",
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
        yield* Expect.that("the others get `Superseded`", outcomes.filter(Option.isSome).length).is(
          1
        )
      }
    })
  }
]

/** Renames both speakers in one write, with the same number in both names. */
const rename = (corrections: Corrections["Service"], number: number) =>
  corrections.nameSpeakers(principalOf(1), {
    id: jobId(1),
    body: Effect.succeed({ speaker_0: `Ana ${number}`, speaker_1: `Ben ${number}` })
  })

/** Fails unless the names of all speakers come from one version. */
const expectOneVersion = (what: string, speakers: ReadonlyArray<string>) =>
  Expect.that(
    `${what} is all old or all new`,
    new Set(speakers.map((speaker) => speaker.split(" ")[1])).size
  ).is(1)

const prepareBody = (deliveries: Deliveries["Service"], job: Job) =>
  Effect.map(deliveries.prepare(job), ({ body }) => JSON.parse(body?.body ?? "{}"))

const readers: ReadonlyArray<Case<Stores>> = [
  {
    title: "builds a webhook body from one version while speakers are renamed",
    effect: withWorkspace(function* () {
      const job = yield* insertHeard(short)
      const [one, other] = [yield* makeServices, yield* makeServices]
      yield* rename(Context.get(one, Corrections), 0)
      let isRenaming = true
      const renaming = Effect.forEach(upTo(30), (number) =>
        rename(Context.get(one, Corrections), number)
      ).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            isRenaming = false
          })
        )
      )
      const redelivering = Effect.gen(function* () {
        const versions = new Set<string>()
        while (isRenaming) {
          const { output } = yield* prepareBody(Context.get(other, Deliveries), job)
          const speakers = output.list.map(({ speaker }: { speaker: string }) => speaker)
          yield* expectOneVersion("a webhook", speakers)
          versions.add(speakers[0])
        }
        return versions
      })
      yield* Effect.all([renaming, redelivering], { concurrency: "unbounded" })
      const last = yield* prepareBody(Context.get(other, Deliveries), job)
      const corrected = yield* Context.get(other, Transcripts).whole(jobId(1))
      yield* Expect.that("the next one has the last names", last.output).is(
        output(Option.getOrElse(corrected, () => short))
      )
    })
  },
  {
    title: "reads all parts of a long transcript from one version while speakers are renamed",
    effect: withWorkspace(function* () {
      yield* insertHeard(long)
      const context = yield* makeServices
      const corrections = Context.get(context, Corrections)
      yield* rename(corrections, 0)
      const readPart = yield* Context.get(context, Transcripts).open(jobId(1))
      const parts: Array<Transcript> = []
      let before: Parameters<typeof readPart>[0] = Option.none()
      do {
        const part = yield* readPart(before)
        if (Option.isNone(part)) break
        parts.push(part.value)
        before = Option.isSome(part.value.next) ? part : Option.none()
        yield* rename(corrections, parts.length)
        yield* corrections.correctSegments(principalOf(1), {
          id: jobId(1),
          body: Effect.succeed([{ index: 3_999, text: "Corrected meanwhile." }])
        })
      } while (Option.isSome(before))
      yield* Expect.holds("it has several parts", parts.length > 2)
      const segments = parts.flatMap((part) => part.segments)
      yield* Expect.that("as of the start of the reading", segments).is(
        long.segments.map((segment) => ({
          ...segment,
          speaker: segment.speaker === "speaker_0" ? "Ana 0" : "Ben 0"
        }))
      )
    })
  }
]

export const contract: Contract<Stores> = { port: "Corrections", cases: [...writers, ...readers] }

/** Registers the laws with Vitest. */
export const suite: Suite<Stores> = suiteOf(contract)
