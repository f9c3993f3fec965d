/**
 * Laws for corrections in any store: each read returns a single version, even while others are
 * written. The contract for `CorrectionStore` and the simulation test the writers.
 */

import type { Job } from "@verbatim/core/job"
import type { Stores } from "@verbatim/core/ports"
import { output } from "@verbatim/core/rendering"
import { Corrections, makePrepare, Services, Transcripts } from "@verbatim/core/services"
import type { Transcript } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Option } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import type { Case, Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { FakeMedia } from "../fakes/FakeMedia.ts"
import { apiKeyId, jobId, upTo, userId, workspaceId } from "../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../samples/SampleEvent.ts"
import { makePendingJob, makeUploadJob } from "../samples/SampleJob.ts"
import { transcriptOf } from "../samples/SampleTranscript.ts"
import { instant, withWorkspace } from "../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../samples/Stored.ts"

/** A short transcript, which is read in one part. */
const short: Transcript = transcriptOf(upTo(20).map((number) => `Segment ${number}.`))

/** A long transcript, which is read in several parts. */
const long: Transcript = transcriptOf(
  upTo(4_000).map((number) => `Segment ${number}, ${"spoken ".repeat(10)}`)
)

const crypto = Layer.provideMerge(
  Layer.merge(Digest.layerWebCrypto, Mac.layerWebCrypto),
  SecureRandom.layerWebCrypto
)

/** Builds the services for one process. */
const makeServices = Layer.build(
  Services.layer.pipe(
    Layer.provideMerge([Layer.provide(FakeMedia.layer, crypto), crypto]),
    Layer.fresh
  )
)

const principal: Principal = {
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(1),
  keyId: apiKeyId(1)
}

/** Inserts a job with the given transcript and a pending webhook. */
const insertHeard = Effect.fnUntraced(function* (transcript: Transcript) {
  const { delivery } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(1, { delivery })), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, { events: [transcriptProduced()], transcript })
})

/** Renames both speakers in one write, with the same number in both names. */
const rename = (corrections: Corrections["Service"], number: number) =>
  corrections.nameSpeakers(principal, {
    id: jobId(1),
    body: Effect.succeed({ speaker_0: `Ana ${number}`, speaker_1: `Ben ${number}` })
  })

/** Fails unless the names of all speakers come from one version. */
const expectOneVersion = (what: string, speakers: ReadonlyArray<string>) =>
  Expect.that(
    `${what} is all old or all new`,
    new Set(speakers.map((speaker) => speaker.split(" ")[1])).size
  ).is(1)

const prepareBody = Effect.fnUntraced(function* (job: Job) {
  const { body } = yield* (yield* makePrepare)(job)
  return JSON.parse(body?.body ?? "{}")
})

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
          const { output } = yield* Effect.provide(prepareBody(job), other)
          const speakers = output.list.map(({ speaker }: { speaker: string }) => speaker)
          yield* expectOneVersion("a webhook", speakers)
          versions.add(speakers[0])
        }
        return versions
      })
      yield* Effect.all([renaming, redelivering], { concurrency: "unbounded" })
      const last = yield* Effect.provide(prepareBody(job), other)
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
        yield* corrections.correctSegments(principal, {
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

export const contract: Contract<Stores> = { port: "Corrections", cases: readers }

/** Registers the laws with Vitest. */
export const suite: Suite<Stores> = suiteOf(contract)
