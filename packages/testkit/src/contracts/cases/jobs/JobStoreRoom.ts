/**
 * The promises of a `JobStore` where only so many jobs may be unfinished: exact, however many come
 * at once, and each is answered for itself.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { Job } from "@verbatim/core/job"
import {
  type Creation,
  JobStore,
  type UnfinishedMax,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import { apiKeyId, jobId, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { creation, makeFinishedJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob, storedJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** A job of a workspace and a key, and how many may be unfinished. */
interface Wish extends Partial<UnfinishedMax> {
  readonly number: number
  readonly owner?: number
  readonly keyNumber?: number
  readonly name?: string
}

const makeJob = ({ keyNumber, number, owner = 1 }: Wish): Job =>
  makeUploadJob(number, {
    workspaceId: workspaceId(owner),
    ...(keyNumber === undefined ? {} : { keyId: apiKeyId(keyNumber) })
  })

const makeCreation = (wish: Wish): Creation => {
  const { key = null, name, number, workspace = null } = wish
  const record =
    name === undefined
      ? undefined
      : { key: IdempotencyKey.make(name), fingerprint: name, jobId: jobId(number), at: instant }
  return { ...creation(makeJob(wish), record), unfinishedMax: { workspace, key } }
}

/** What became of an insert, in a word. */
const insert = (wish: Wish) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.map(Effect.result(store.insert(makeCreation(wish))), (outcome) => {
      if (Result.isFailure(outcome)) {
        const { reason } = outcome.failure
        return reason._tag === "Full" ? `no room for the ${reason.of}` : reason._tag
      }
      return Option.isSome(outcome.success) ? "earlier" : "written"
    })
  )

const countOf = (outcomes: ReadonlyArray<string>, word: string): number =>
  outcomes.filter((each) => each === word).length

const end = Effect.fnUntraced(function* (number: number, wish: Omit<Wish, "number"> = {}) {
  const running = yield* commitJob(makeJob({ ...wish, number }), { events: [attemptStarted()] })
  yield* commitJob(running, { events: [transcriptProduced()] })
})

/** What only so many unfinished jobs mean. */
export const roomCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"lets no more jobs be unfinished than may be, of many inserted at once, and no fewer"() {
      const outcomes = yield* atOnce(upTo(24), (number) => insert({ number, workspace: 3 }))
      yield* Expect.that("so many are written", [
        countOf(outcomes, "written"),
        countOf(outcomes, "no room for the workspace")
      ]).is([3, 21])
      const ofKey = yield* atOnce(upTo(12), (number) =>
        insert({ number: 100 + number, keyNumber: 1, key: 2, workspace: 9 })
      )
      yield* Expect.that("so many of a key are written", [
        countOf(ofKey, "written"),
        countOf(ofKey, "no room for the key")
      ]).is([2, 10])
    },
    *"has room again when a job has ended, whatever has ended before"() {
      yield* Effect.forEach(upTo(5), (number) => insertJob(makeFinishedJob(100 + number)))
      const first = yield* insert({ number: 1, keyNumber: 1, workspace: 1, key: 1 })
      const second = yield* insert({ number: 2, keyNumber: 1, workspace: 1, key: 1 })
      yield* end(1, { keyNumber: 1 })
      const third = yield* insert({ number: 3, keyNumber: 1, workspace: 1, key: 1 })
      yield* Expect.that("one at a time", [first, second, third]).is([
        "written",
        "no room for the workspace",
        "written"
      ])
    },
    *"answers each of many inserts at once by its own limit"() {
      yield* insertJob(makeJob({ number: 1, keyNumber: 1 }))
      yield* insertJob(makeJob({ number: 2, owner: 2, keyNumber: 3 }))
      const wishes: ReadonlyArray<readonly [Wish, string]> = [
        [{ number: 11, keyNumber: 1, key: 1 }, "no room for the key"],
        [{ number: 12, keyNumber: 2, key: 1 }, "written"],
        [{ number: 13, workspace: 1 }, "no room for the workspace"],
        [{ number: 14, owner: 2, workspace: 2 }, "written"],
        [{ number: 15 }, "written"],
        [{ number: 16, owner: 3, keyNumber: 4, workspace: 1, key: 1 }, "written"]
      ]
      const outcomes = yield* atOnce(wishes, ([wish]) => insert(wish))
      yield* Expect.that("nobody gets the answer of another", outcomes).is(
        wishes.map(([, outcome]) => outcome)
      )
    },
    *"gives the room of a repeat to whoever comes behind it"() {
      yield* insert({ number: 1, name: "a" })
      const outcomes = yield* atOnce(
        [
          { number: 1, workspace: 2 },
          { number: 2, name: "a", workspace: 2 },
          { number: 3, workspace: 2 }
        ],
        insert
      )
      yield* Expect.that("a repeat needs no room", outcomes).is([
        "Superseded",
        "earlier",
        "written"
      ])
    },
    *"answers a repeat as ever where there is no room"(store) {
      const { idempotency } = makeCreation({ number: 1, name: "a" })
      yield* insert({ number: 1, name: "a", workspace: 1 })
      yield* Expect.that("by its id", yield* insert({ number: 1, workspace: 1 })).is("Superseded")
      yield* Expect.that(
        "by its key",
        yield* store.insert(makeCreation({ number: 2, name: "a", workspace: 1 }))
      ).is(idempotency)
    },
    *"writes nothing of a job that there is no room for"(store) {
      yield* insert({ number: 1 })
      yield* Expect.that("it is refused", yield* insert({ number: 2, name: "a", workspace: 1 })).is(
        "no room for the workspace"
      )
      yield* storedJob(jobId(2)).pipe(Expect.gives("there is no such job", Option.none()))
      yield* store
        .idempotency(workspaceId(1), IdempotencyKey.make("a"))
        .pipe(Expect.gives("its key is free", Option.none()))
      yield* store.history(jobId(2)).pipe(Expect.gives("it has no history", []))
    },
    *"counts the jobs that owe work, of a workspace or of a key, up to a number"(store) {
      for (const number of upTo(4)) yield* insert({ number, keyNumber: 1 + (number % 2) })
      yield* insert({ number: 5, owner: 2, keyNumber: 3 })
      yield* end(4, { keyNumber: 1 })
      const count = (owner: number, keyNumber: number | null, countMax = 10) =>
        store.unfinished({
          workspaceId: workspaceId(owner),
          keyId: keyNumber === null ? null : apiKeyId(keyNumber),
          countMax
        })
      yield* Expect.that("each count is right", [
        yield* count(1, null),
        yield* count(1, 1),
        yield* count(1, 2),
        yield* count(2, null),
        yield* count(3, null),
        yield* count(1, null, 2)
      ]).is([3, 1, 2, 1, 0, 2])
    }
  }
)
