/** Tests that old jobs lose exactly the data that their workspace no longer keeps. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { jobId, readLedger, upTo } from "@verbatim/testkit/samples"
import { DateTime, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import type { JobView } from "#src/domain/job/JobView"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { DefaultRetention, noRetentionRule } from "#src/domain/workspace/RetentionRule"
import { JobStore, unanswered } from "#src/ports/JobStore"
import { MediaStore, MediaStoreError } from "#src/ports/MediaStore"
import { RetentionStore } from "#src/ports/RetentionStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { previewExpiry } from "#src/services/retention/Expiries"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import {
  callback,
  look,
  script,
  stored,
  submit,
  undecodable,
  withCaller
} from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { collecting, retain, work } from "./OldJobs.ts"

const everythingOf = Effect.fnUntraced(function* (job: JobView) {
  const jobs = yield* JobStore
  const id = JobId.make(job.id)
  const found = yield* jobs.present([id])
  return JSON.stringify([
    [...found.values()],
    yield* jobs.history(id),
    yield* jobs.transcript(id),
    yield* jobs.keptBody(id)
  ])
})

const ledgerOf = ({ workspaceId }: Principal) =>
  Effect.flatMap(WorkspaceStore, (store) => readLedger(store, workspaceId))

/** Submits a job that fails, because its file is not a recording. Later files can be decoded. */
const submitNoise = Effect.fnUntraced(function* (principal: Principal) {
  yield* script({ decode: undecodable })
  const job = yield* submit(principal, {})
  yield* work
  yield* script({ decode: calmScript.decode })
  return job
})

const mustBeGone = (principal: Principal, job: JobView) =>
  Effect.map(Effect.flip(look(principal, job)), ({ _tag }) =>
    assert.strictEqual(_tag, "RequestNotFound")
  )

describe("Old jobs", () => {
  it.effect(
    "first lose their transcripts and summaries, and are then removed, but stay in the ledger",
    () =>
      withCaller(function* (principal) {
        const jobs = yield* Jobs
        const job = yield* submit(principal, { ...callback, summary: "brief" })
        yield* work
        const done = yield* look(principal, job)
        assert.strictEqual(done.status, "WEBHOOK_DELIVERED")
        const { output, summary = "" } = done
        const [word = ""] = summary.split(" ")
        assert.include(yield* everythingOf(job), word)
        const ledger = yield* ledgerOf(principal)
        yield* retain(principal, { transcriptDays: 2, jobDays: 4 })
        yield* collecting
        yield* TestClock.adjust("46 hours")
        assert.deepStrictEqual((yield* look(principal, job)).output, output)
        yield* TestClock.adjust("4 hours")
        const closed = yield* look(principal, job)
        assert.deepInclude(closed, { status: "WEBHOOK_DELIVERED", summary_status: "COMPLETED" })
        assert.isUndefined(closed.output)
        assert.isUndefined(closed.summary)
        assert.isDefined(closed.results_removed_at)
        assert.notInclude(yield* everythingOf(job), summary)
        const wanted = { id: job.id, modifier: "plain_text" }
        const rendering = yield* Effect.flip(jobs.result(principal, wanted))
        const redelivery = yield* Effect.flip(jobs.redeliver(principal, job.id))
        assert.deepStrictEqual(
          [rendering._tag, redelivery._tag],
          ["ResultsRemoved", "ResultsRemoved"]
        )
        const text = yield* jobs.statusText(principal, job.id)
        assert.strictEqual(text._tag, "Whole")
        const { events } = yield* jobs.history(principal, job.id)
        assert.strictEqual(events.at(-1)?.event, "transcript_expired")
        yield* TestClock.adjust("50 hours")
        yield* mustBeGone(principal, job)
        assert.deepStrictEqual(yield* ledgerOf(principal), ledger)
      })
  )

  it.effect("follow the server's rule if the workspace has no rule", () =>
    withCaller(function* (principal) {
      const job = yield* submit(principal, {})
      yield* work
      yield* collecting
      yield* TestClock.adjust("26 hours")
      yield* mustBeGone(principal, job)
    }).pipe(Effect.provideService(DefaultRetention, { ...noRetentionRule, jobDays: 1 }))
  )

  it.effect("are kept, and cause no queries, if there is no rule", () =>
    withCaller(function* (principal) {
      const job = yield* submit(principal, {})
      yield* work
      let calls = 0
      const count = replace(RetentionStore, (store) => ({
        ended: (query) => {
          calls += 1
          return store.ended(query)
        }
      }))
      yield* Effect.provide(collecting, count)
      yield* TestClock.adjust("40 days")
      assert.isDefined((yield* look(principal, job)).output)
      assert.strictEqual(calls, 0)
    })
  )

  it.effect("do not block other jobs and workspaces if they cannot be removed", () =>
    withCaller(function* (principal) {
      const workspaces = yield* Workspaces
      const failed = yield* Effect.forEach(upTo(5), () => submitNoise(principal))
      const good = yield* submit(principal, {})
      yield* work
      const { id } = yield* workspaces.create({ name: "broken" })
      yield* workspaces.change(id, { jobDays: 1 })
      yield* retain(principal, { jobDays: 1 })
      const stuck = replace(MediaStore, () => ({
        remove: () =>
          Effect.fail(
            new MediaStoreError({
              operation: "remove",
              reason: { _tag: "Unavailable", cause: "it is out" }
            })
          )
      }))
      const broken = replace(RetentionStore, (store) => ({
        ended: (query) =>
          query.workspaceId === id ? Effect.die("a damaged row") : store.ended(query)
      }))
      const scope = yield* Scope.make()
      yield* Scope.provide(Effect.provide(collecting, Layer.merge(stuck, broken)), scope)
      yield* TestClock.adjust("27 hours")
      yield* Scope.close(scope, Exit.void)
      yield* mustBeGone(principal, good)
      for (const job of failed) assert.isDefined(yield* look(principal, job))
      assert.lengthOf(yield* stored, 5)
      // The store is available again.
      yield* collecting
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(yield* stored, [])
      for (const job of failed) yield* mustBeGone(principal, job)
    })
  )

  it.effect("are removed one by one if the store cannot delete several before the timeout", () =>
    withCaller(function* (principal) {
      const jobs = yield* Effect.forEach(upTo(4), () => submit(principal, {}))
      const [large] = jobs
      yield* work
      yield* retain(principal, { jobDays: 1 })
      const slow = replace(RetentionStore, (store) => ({
        remove: (id, several) =>
          several.some((job) => job.id === large?.id) ? Effect.never : store.remove(id, several)
      }))
      yield* Effect.provide(collecting, slow)
      yield* TestClock.adjust("30 hours")
      const { present } = yield* JobStore
      const left = yield* present(jobs.map(({ id }) => JobId.make(id)))
      assert.deepStrictEqual([...left.keys()], [large?.id])
    })
  )

  it.effect("are removed once even if the responses to all commits are lost", () =>
    withCaller(function* (principal) {
      const job = yield* submitNoise(principal)
      yield* retain(principal, { transcriptDays: 1 })
      const losing = replace(JobStore, (store) => ({
        commit: (change) => Effect.andThen(store.commit(change), Effect.fail(unanswered("commit")))
      }))
      yield* Effect.provide(collecting, losing)
      yield* TestClock.adjust("30 hours")
      const jobs = yield* Jobs
      const { events } = yield* jobs.history(principal, job.id)
      assert.deepStrictEqual(
        events.slice(-3).map(({ event }) => event),
        ["media_expired", "media_removed", "transcript_expired"]
      )
      assert.strictEqual((yield* Effect.flip(jobs.retry(principal, job.id)))._tag, "ResultsRemoved")
      assert.deepStrictEqual(yield* stored, [])
    })
  )
})

const day = (number: number) => DateTime.makeUnsafe(number * 86_400_000)

/** A store with this many full pages of jobs that all have media. */
const storeOf = (pages: number) => {
  let calls = 0
  return replace(RetentionStore, () => ({
    countExpired: ({ holding, limit }) =>
      Effect.sync(() => {
        const nothing = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }
        if (holding !== "Media" || calls === pages) return { ...nothing, last: Option.none() }
        calls += 1
        const oldest = Option.some(day(calls))
        const last = Option.some({ at: day(calls), id: jobId(calls) })
        return { ...nothing, jobs: limit, oldest, last }
      })
  }))
}

const previewOf = (pages: number) =>
  withCaller(function* (principal) {
    yield* retain(principal, { jobDays: 1 })
    const workspaces = yield* Workspaces
    const { workspace } = yield* workspaces.account(principal.workspaceId)
    const outlook = yield* Effect.provide(previewExpiry(workspace), storeOf(pages))
    return Option.getOrThrow(outlook)
  })

describe("A preview of expiring jobs", () => {
  it.effect("counts the jobs on all pages", () =>
    Effect.gen(function* () {
      const { isAll, jobs, oldest } = yield* previewOf(7)
      assert.deepStrictEqual([jobs, isAll, oldest], [70_000, true, Option.some(day(1))])
    })
  )

  it.effect("stops at a million jobs, and reports that there are more", () =>
    Effect.gen(function* () {
      const { isAll, jobs } = yield* previewOf(1_000)
      assert.deepStrictEqual([jobs, isAll], [1_000_000, false])
    })
  )
})
