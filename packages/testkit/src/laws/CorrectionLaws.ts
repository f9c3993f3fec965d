/**
 * What is true of corrections over any store, under concurrent writers: they get what the pure
 * functions would give them one after the other, and every reader sees one version.
 */
import type { Job } from "@verbatim/core/job"
import { JobStore, type Stores } from "@verbatim/core/ports"
import { output } from "@verbatim/core/rendering"
import { Corrections, Deliveries, Transcripts } from "@verbatim/core/services"
import type { Transcript } from "@verbatim/core/transcription"
import { Context, Effect, Option } from "effect"
import type { Case, Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { jobId, upTo } from "../samples/Ids.ts"
import { withWorkspace } from "../samples/SampleWorkspace.ts"
import { insertHeard, long, makeServices, principalOf, short } from "./CorrectionProcesses.ts"
import { writers } from "./CorrectionWriters.ts"

/** Names both speakers anew, so that both names show the same number. */
const rename = (corrections: Corrections["Service"], number: number) =>
  corrections.nameSpeakers(principalOf(1), {
    id: jobId(1),
    body: Effect.succeed({ speaker_0: `Ana ${number}`, speaker_1: `Ben ${number}` })
  })

/** Fails unless all speakers were named by one version. */
const expectOneVersion = (what: string, speakers: ReadonlyArray<string>) =>
  Expect.that(
    `${what} is all old or all new`,
    new Set(speakers.map((speaker) => speaker.split(" ")[1])).size
  ).is(1)

const prepareBody = (deliveries: Deliveries["Service"], job: Job) =>
  Effect.map(deliveries.prepare(job), ({ body }) => JSON.parse(body?.body ?? "{}"))

const readers: ReadonlyArray<Case<Stores>> = [
  {
    title: "makes the body of a webhook all old or all new, while speakers are renamed",
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
    title: "reads the parts of a long transcript in one version, while speakers are renamed",
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
      yield* Expect.that("as it was when the reading began", segments).is(
        long.segments.map((segment) => ({
          ...segment,
          speaker: segment.speaker === "speaker_0" ? "Ana 0" : "Ben 0"
        }))
      )
    })
  },
  {
    title: "never changes what was recognised",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      yield* insertHeard(short)
      const corrections = Context.get(yield* makeServices, Corrections)
      yield* rename(corrections, 1)
      yield* corrections.goBack(principalOf(1), {
        id: jobId(1),
        body: Effect.succeed({ version: 0 })
      })
      yield* store
        .transcript(jobId(1))
        .pipe(Expect.gives("the transcript is the same", Option.some(short)))
    })
  }
]

/** All of them. */
export const contract: Contract<Stores> = { port: "Corrections", cases: [...writers, ...readers] }

/** Registers the laws with Vitest. */
export const suite: Suite<Stores> = suiteOf(contract)
