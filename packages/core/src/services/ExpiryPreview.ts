/**
 * What would go of a workspace now, counted page by page: each is a statement as short as a step of
 * the removal, however many old jobs there are.
 */
import { DateTime, Duration, Effect, Option } from "effect"
import {
  type Cutoffs,
  cutoffOf,
  cutoffsOf,
  type Holding,
  type Place
} from "../domain/job/Expiry.ts"
import {
  DefaultRetention,
  type RetentionRule,
  ruleInForce
} from "../domain/workspace/RetentionRule.ts"
import type { Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"
import { JobStore } from "../ports/JobStore.ts"
import { type Overdue, RetentionStore, RetentionStoreError } from "../ports/RetentionStore.ts"

/** Jobs of a page: a tenth of a second on two busy cores, a tenth of what a statement may take. */
const pageMax = 10_000

/** Jobs that are counted for a workspace, in some ten seconds. Beyond, no number is worth more. */
const countMax = 1_000_000

/** Jobs without a noted end that are counted: one statement, half a second on two busy cores. */
export const unnotedMax = 50_000

/** How long the store may take over one page. */
const answerTimeout = Duration.seconds(30)

/** What would go of a workspace, and by which rule. */
export interface Outlook extends Overdue {
  readonly rule: RetentionRule
  /** Jobs without a noted end, `unnotedMax` at most; some of them may be over as well. */
  readonly unnoted: number
  /** `false` when there are more than these of each. */
  readonly isAll: boolean
}

const inTime = <A>(question: Effect.Effect<A, RetentionStoreError>) =>
  Effect.timeoutOrElse(question, {
    duration: answerTimeout,
    orElse: () =>
      new RetentionStoreError({ operation: "preview", cause: "the store did not answer in time" })
  })

const earlier = (one: Overdue["oldest"], other: Overdue["oldest"]): Overdue["oldest"] =>
  Option.isSome(one) && Option.isSome(other)
    ? Option.some(DateTime.min(one.value, other.value))
    : Option.orElse(one, () => other)

const add = (one: Overdue, other: Overdue): Overdue => ({
  jobs: one.jobs + other.jobs,
  transcripts: one.transcripts + other.transcripts,
  media: one.media + other.media,
  oldest: earlier(one.oldest, other.oldest)
})

const nothing: Overdue = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }

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
      const query = { workspaceId, holding, until, after, limit: pageMax }
      const { last, ...page } = yield* inTime(store.overdue(query, cutoffs))
      sum = add(sum, page)
      left -= pageMax
      after = last
    } while (Option.isSome(after))
  }
  return { ...sum, isAll: true }
})

/** What would go of a workspace now; none when nothing of it ever goes. Changes nothing. */
export const previewExpiry = Effect.fnUntraced(function* (workspace: Workspace) {
  const jobs = yield* JobStore
  const store = yield* RetentionStore
  const rule = ruleInForce(workspace, yield* DefaultRetention)
  if (rule.mediaDays === null) return Option.none<Outlook>()
  const counted = yield* countPages(workspace.id, cutoffsOf(rule, yield* jobs.now))
  const unnoted = yield* inTime(store.unnotedCount(workspace.id, unnotedMax))
  return Option.some({ rule, unnoted, ...counted })
})
