/**
 * Takes from old jobs what their workspace keeps no longer: media, then transcripts, then the jobs
 * themselves, in small steps. Each is decided on the job as it is stored and fenced by its
 * revision, so any number of processes may take the same step, and any of them may die in it.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import {
  type Cutoffs,
  costOf,
  cutoffOf,
  cutoffsOf,
  type Deciding,
  type Holding,
  nextExpiry,
  nextStage,
  type Place,
  pageMax,
  type RoundPlace,
  takeStep
} from "../../domain/job/Expiry.ts"
import type { Job } from "../../domain/job/Job.ts"
import {
  DefaultRetention,
  type RetentionRule,
  ruleInForce
} from "../../domain/workspace/RetentionRule.ts"
import type { Workspace, WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { JobStore, type JobStoreError } from "../../ports/JobStore.ts"
import type { MediaStore } from "../../ports/MediaStore.ts"
import {
  type ExpiredCounts,
  type FoundJob,
  RetentionStore,
  RetentionStoreError
} from "../../ports/RetentionStore.ts"
import { trace } from "../../ports/Trace.ts"
import { Commits } from "../jobs/Commits.ts"
import type { MediaIdentity } from "../tasks/MediaIdentity.ts"
import { makeApplyExpiry } from "./JobExpiry.ts"

/** Far longer than a step takes on stores that answer, and shorter than a turn is held. */
const stepTimeout = Duration.minutes(2)

/** How long the store may take over one of the questions of a step. */
const answerTimeout = Duration.seconds(30)

/** Why a step could not be taken. */
type Failed = JobStoreError | RetentionStoreError

export class Expiries extends Context.Service<
  Expiries,
  {
    /** The rule that holds for a workspace; none when nothing of it ever goes. */
    readonly ruleOf: (workspace: Workspace) => Option.Option<RetentionRule>
    /**
     * Takes a step for a workspace from a place on, and says where the next one begins; none when
     * nothing more is to be done now. What cannot go now is passed over.
     */
    readonly step: (
      workspace: Workspace,
      place: RoundPlace
    ) => Effect.Effect<Option.Option<RoundPlace>, Failed>
  }
>()("@verbatim/core/services/Expiries") {
  static readonly layer: Layer.Layer<
    Expiries,
    never,
    JobStore | MediaIdentity | MediaStore | RetentionStore
  > = Layer.effect(
    Expiries,
    Effect.gen(function* () {
      const { now: storeNow } = yield* JobStore
      const store = yield* RetentionStore
      const server = yield* DefaultRetention
      const treat = yield* makeApplyExpiry

      /** In one statement; where that fails, each alone: one may have very many corrections. */
      const remove = (id: WorkspaceId, jobs: ReadonlyArray<Job>) =>
        inTime("remove", store.remove(id, jobs)).pipe(
          Effect.catchIf(
            () => jobs.length > 1,
            () =>
              Effect.map(
                Effect.forEach(jobs, (job) => removeAlone(id, job)),
                (gone) => gone.flat()
              )
          )
        )

      const removeAlone = (id: WorkspaceId, job: Job) =>
        inTime("remove", store.remove(id, [job])).pipe(
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("An old job stays for now", error), [])
          ),
          Effect.annotateLogs({ job: job.id })
        )

      const take = Effect.fnUntraced(function* (
        { id }: Workspace,
        { deciding, place, query }: Taking
      ) {
        const page = yield* inTime(
          "ended",
          store.ended({ ...query, workspaceId: id, after: place.after, limit: pageMax })
        )
        const taken = takeStep(page.map((found) => ({ found, ...judge(found, deciding) })))
        let staying = 0
        const removed: Array<Job> = []
        for (const { expiry, found } of taken) {
          if (Option.isNone(found.job)) continue
          const treated = yield* treat(found.job.value, { expiry, deciding })
          if (treated._tag === "Remove") removed.push(treated.job)
          if (treated._tag !== "MediaStays") continue
          staying += 1
          yield* Effect.logWarning("Old media stays for now", treated.error)
          // The store of media is out, or it is not ours: the others would not go either.
          if (staying === stayingMax) break
        }
        if (removed.length > 0) {
          const gone = yield* remove(id, removed)
          yield* coreMetrics.retentionRemovals.record({ kind: "job" }, gone.length)
        }
        if (staying === stayingMax) return nextStage(place)
        const isAll = taken.length === page.length && page.length < pageMax
        return placeAfter(place, { page: taken.map(({ found }) => found), isAll })
      })

      const ruleOf = (workspace: Workspace) =>
        Option.liftPredicate(
          ruleInForce(workspace, server),
          // It is the shortest of the three.
          ({ mediaDays }) => mediaDays !== null
        )

      const step = trace("Expiries.step")(
        function* (workspace: Workspace, place: RoundPlace) {
          const rule = ruleOf(workspace)
          if (Option.isNone(rule)) return Option.none()
          const now = yield* storeNow
          const deciding = { now, cutoffs: cutoffsOf(rule.value, now) }
          const { stage } = place
          const until = cutoffOf(stage, deciding.cutoffs)
          if (until === null) return nextStage(place)
          return yield* take(workspace, { deciding, place, query: { holding: stage, until } })
        },
        Effect.timeoutOrElse({
          duration: stepTimeout,
          orElse: () => new RetentionStoreError({ operation: "step", cause: slow })
        })
      )

      return Expiries.of({ ruleOf, step })
    })
  ).pipe(Layer.provide(Layer.fresh(Commits.layer)))
}

/** Files that do not go before a look goes on with what needs no media. */
const stayingMax = 3

/** What is to be taken: jobs that hold this and ended until then. */
interface Taking {
  readonly deciding: Deciding
  readonly place: RoundPlace
  readonly query: { readonly holding: Holding; readonly until: DateTime.Utc }
}

const slow = "the store did not answer in time"

const inTime = <A>(operation: string, question: Effect.Effect<A, RetentionStoreError>) =>
  Effect.timeoutOrElse(question, {
    duration: answerTimeout,
    orElse: () => new RetentionStoreError({ operation, cause: slow })
  })

/** What has to be done about a job, and what that costs. A damaged one is left alone. */
const judge = ({ job }: FoundJob, deciding: Deciding) => {
  if (Option.isNone(job)) return { expiry: { _tag: "None" } as const, cost: 0 }
  const expiry = nextExpiry(job.value, deciding)
  return { expiry, cost: costOf(expiry, job.value) }
}

const placeAfter = (
  place: RoundPlace,
  { isAll, page }: { readonly page: ReadonlyArray<FoundJob>; readonly isAll: boolean }
): Option.Option<RoundPlace> => {
  const last = page.at(-1)
  return isAll || last === undefined
    ? nextStage(place)
    : Option.some({ ...place, after: Option.some({ at: last.at, id: last.id }) })
}

/** Jobs of a counted page: 0.1 s on two busy cores, a tenth of what a statement may take. */
const countedPage = 10_000

/** Jobs that are counted for a workspace, in some ten seconds. Beyond, no number is worth more. */
const countMax = 1_000_000

/** What would go of a workspace, and by which rule. */
export interface ExpiryPreview extends ExpiredCounts {
  readonly rule: RetentionRule
  /** `false` when there are more than these of each. */
  readonly isAll: boolean
}

const earlier = (
  one: ExpiredCounts["oldest"],
  other: ExpiredCounts["oldest"]
): ExpiredCounts["oldest"] =>
  Option.isSome(one) && Option.isSome(other)
    ? Option.some(DateTime.min(one.value, other.value))
    : Option.orElse(one, () => other)

const add = (one: ExpiredCounts, other: ExpiredCounts): ExpiredCounts => ({
  jobs: one.jobs + other.jobs,
  transcripts: one.transcripts + other.transcripts,
  media: one.media + other.media,
  oldest: earlier(one.oldest, other.oldest)
})

const nothing: ExpiredCounts = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }

const holdings: ReadonlyArray<Holding> = ["Media", "Transcript", "Nothing"]

/** Counts until everything or enough is counted. */
const countPages = Effect.fnUntraced(function* (workspaceId: WorkspaceId, cutoffs: Cutoffs) {
  const store = yield* RetentionStore
  let [sum, left] = [nothing, countMax]
  for (const holding of holdings) {
    const until = cutoffOf(holding, cutoffs)
    if (until === null) continue
    let after = Option.none<Place>()
    do {
      if (left <= 0) return { ...sum, isAll: false }
      const query = { workspaceId, holding, until, after, limit: countedPage }
      const { last, ...page } = yield* inTime("preview", store.overdue(query, cutoffs))
      sum = add(sum, page)
      left -= countedPage
      after = last
    } while (Option.isSome(after))
  }
  return { ...sum, isAll: true }
})

/** What would go of a workspace now; none when nothing of it ever goes. Changes nothing. */
export const previewExpiry = Effect.fnUntraced(function* (workspace: Workspace) {
  const jobs = yield* JobStore
  const rule = ruleInForce(workspace, yield* DefaultRetention)
  if (rule.mediaDays === null) return Option.none<ExpiryPreview>()
  const counted = yield* countPages(workspace.id, cutoffsOf(rule, yield* jobs.now))
  return Option.some({ rule, ...counted })
})
