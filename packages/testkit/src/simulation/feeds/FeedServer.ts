/**
 * A server whose transactions get their ordinals when they begin, and commit in any order: what
 * listeners ask it is answered as the port promises, or with a planted fault.
 */
import type { JobId } from "@verbatim/core/attempt"
import { type FeedPlace, isAfter, placeBefore } from "@verbatim/core/job"
import type {
  ChangeEntry,
  Changes,
  ChangesQuery,
  FeedEntry,
  FeedQuery,
  FeedStretch,
  JobStore
} from "@verbatim/core/ports"
import { JobStoreError } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { jobId, workspaceId } from "../../samples/Ids.ts"
import { instant } from "../../samples/SampleWorkspace.ts"
import type { Dice } from "../clock/Seed.ts"

/** What may be wrong with such a server. */
export const feedFaults = [
  "tells what is beyond an open transaction",
  "takes a part for the whole",
  "tells the last commit again",
  "leaves out what comes first",
  "tells of other workspaces",
  "tells jobs one commit late"
] as const
export type FeedFault = (typeof feedFaults)[number]

const mark = "simulated"

const workspaces = 2
const jobCount = 6

/** A commit of a job that may still be open. */
interface Transaction {
  readonly ordinal: number
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  readonly revision: number
}

const toEntry = ({ revision }: Transaction): ChangeEntry => ({
  revision,
  at: instant,
  events: Option.some([])
})

const placeOf = ({ jobId, ordinal, revision }: Transaction): FeedPlace => ({
  mark,
  ordinal,
  jobId,
  revision
})

const byPlace = (one: Transaction, other: Transaction): number =>
  isAfter(placeOf(one), placeOf(other)) ? 1 : -1

/** A server with some jobs, of which each commit is one transaction. */
export class FeedServer {
  readonly #dice: Dice
  readonly #fault: FeedFault | undefined
  readonly #committed: Array<Transaction> = []
  #open: ReadonlyArray<Transaction> = []
  #next = 1
  /** Whether it answers. */
  isUp = true

  constructor(dice: Dice, fault: FeedFault | undefined) {
    this.#dice = dice
    this.#fault = fault
  }

  get #end(): number {
    if (this.#fault === "tells what is beyond an open transaction") return this.#next
    return Math.min(this.#next, ...this.#open.map(({ ordinal }) => ordinal))
  }

  /** Everything that was committed of a workspace, or of a job, in order. */
  committed(of: { readonly workspaceId?: WorkspaceId; readonly jobId?: JobId }) {
    return this.#committed
      .filter(
        (each) =>
          (of.workspaceId === undefined || each.workspaceId === of.workspaceId) &&
          (of.jobId === undefined || each.jobId === of.jobId)
      )
      .sort(byPlace)
      .map(({ jobId, revision }) => `${jobId}:${revision}`)
  }

  /** Begins or ends a transaction. Two never change one job at the same time. */
  move(): void {
    const isEnding = this.#open.length > 0 && this.#dice.chance(0.5)
    if (isEnding) this.close(this.#dice.pick(this.#open))
    else this.#begin(this.#dice.between(1, jobCount))
  }

  #begin(number: number): void {
    const id = jobId(number)
    const ordinal = this.#next
    this.#next += 1
    if (this.#open.some((each) => each.jobId === id)) return
    const revision = this.#committed.filter((each) => each.jobId === id).length + 1
    const owner = workspaceId((number % workspaces) + 1)
    this.#open = [...this.#open, { ordinal, jobId: id, workspaceId: owner, revision }]
  }

  close(transaction: Transaction): void {
    this.#open = this.#open.filter((each) => each !== transaction)
    this.#committed.push(transaction)
  }

  /** Ends what is open. */
  settle(): void {
    for (const each of this.#open) this.close(each)
  }

  /** The verb of the port. */
  readonly changes: JobStore["Service"]["changes"] = (query) =>
    Effect.suspend(() =>
      this.isUp
        ? Effect.succeed(this.#answer(query))
        : Effect.fail(
            new JobStoreError({
              operation: "changes",
              reason: { _tag: "Unavailable", cause: "away" }
            })
          )
    )

  #answer({ feed, jobs }: ChangesQuery): Changes {
    const late = this.#fault === "tells jobs one commit late" ? 1 : 0
    const found = jobs.map(({ beyond, id }) => {
      const own = this.#committed.filter((each) => each.jobId === id)
      const entries = own.filter(({ revision }) => revision > beyond + late).map(toEntry)
      const change = {
        revision: own.length,
        owesWork: true,
        progress: Option.none(),
        entries
      }
      return [id, change] as const
    })
    return { jobs: new Map(found), feed: Option.map(feed, (asked) => this.#stretch(asked)) }
  }

  #stretch({ after, limit, workspaceIds }: FeedQuery): FeedStretch {
    const now = placeBefore(mark, this.#end)
    const nothing = { entries: [], through: now, hasMore: false, isContinued: true }
    if (Option.isNone(after)) return nothing
    const from = after.value
    const rows = this.#committed
      .filter((each) => each.ordinal < this.#end && isAfter(placeOf(each), from))
      .sort(byPlace)
    if (this.#fault === "leaves out what comes first" && this.#dice.chance(0.05)) rows.shift()
    const told = rows.slice(0, limit)
    const again =
      this.#fault === "tells the last commit again"
        ? this.#committed.filter((each) => !isAfter(placeOf(each), from)).slice(-1)
        : []
    const hasMore = rows.length > limit && this.#fault !== "takes a part for the whole"
    const last = told.at(-1)
    return {
      entries: [...again, ...told].flatMap((each) => this.#toFeedEntry(each, workspaceIds, from)),
      through: hasMore && last !== undefined ? placeOf(last) : now,
      hasMore,
      isContinued: true
    }
  }

  #toFeedEntry(
    each: Transaction,
    asked: ReadonlyArray<WorkspaceId>,
    from: FeedPlace
  ): ReadonlyArray<FeedEntry> {
    const isOthers = !asked.includes(each.workspaceId)
    if (isOthers && this.#fault !== "tells of other workspaces") return []
    const place = isAfter(placeOf(each), from)
      ? placeOf(each)
      : { ...placeOf(each), ordinal: from.ordinal, jobId: `${from.jobId}z` }
    const owner = isOthers ? asked[0] : each.workspaceId
    return [
      { jobId: each.jobId, workspaceId: owner ?? each.workspaceId, place, entry: toEntry(each) }
    ]
  }
}
