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
  "tells jobs one commit late",
  "forgets that jobs were deleted",
  "tells again that a job was deleted",
  "says nothing of what it forgot"
] as const
export type FeedFault = (typeof feedFaults)[number]

const mark = "simulated"

const workspaces = 2
const jobCount = 6

/** Jobs with these numbers are never deleted: some of them are followed by themselves. */
const stayingMax = 4

/** Deletions that are kept at least: older ones may be forgotten. */
const deletionsKept = 3

/** Something that somebody who follows may hear of. */
export interface Happened {
  readonly name: string
  readonly place: FeedPlace
  /** Whether nobody is told any more who has not heard it yet. */
  readonly isWithdrawn: boolean
}

/** A commit or the deletion of a job that may still be open. */
interface Transaction {
  readonly ordinal: number
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  readonly revision: number
  readonly isDeletion: boolean
}

const toEntry = ({ revision }: Transaction): ChangeEntry => ({
  revision,
  at: instant,
  events: Option.some([])
})

/** What a commit or a deletion is called. */
export const nameOf = (jobId: string, what: { readonly revision: number } | "deleted"): string =>
  `${jobId}:${what === "deleted" ? what : what.revision}`

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
  readonly #gone = new Set<JobId>()
  #open: ReadonlyArray<Transaction> = []
  #next = 1
  /** The number of the job that is now in each place. */
  readonly #numbers = Array.from({ length: jobCount }, (_, index) => index + 1)
  /** Deletions up to this ordinal are forgotten. */
  forgotten = 0
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

  /** Everything that happened in a workspace, or to a job, in order. */
  happened(of: {
    readonly workspaceId?: WorkspaceId
    readonly jobId?: JobId
  }): ReadonlyArray<Happened> {
    return this.#committed
      .filter(
        (each) =>
          (of.workspaceId === undefined || each.workspaceId === of.workspaceId) &&
          (of.jobId === undefined || each.jobId === of.jobId)
      )
      .sort(byPlace)
      .map((each) => ({
        name: nameOf(each.jobId, each.isDeletion ? "deleted" : each),
        place: placeOf(each),
        isWithdrawn: !each.isDeletion && this.#gone.has(each.jobId)
      }))
  }

  /** Begins or ends a transaction. Two never change one job at the same time. */
  move(): void {
    const isEnding = this.#open.length > 0 && this.#dice.chance(0.5)
    if (isEnding) this.close(this.#dice.pick(this.#open))
    else this.#begin(this.#dice.below(jobCount))
  }

  #begin(slot: number): void {
    const number = this.#numbers[slot] ?? 1
    const id = jobId(number)
    const ordinal = this.#next
    this.#next += 1
    if (this.#open.some((each) => each.jobId === id)) return
    const revision = this.#committed.filter((each) => each.jobId === id).length + 1
    const owner = workspaceId((slot % workspaces) + 1)
    const isDeletion = slot >= stayingMax && revision > 1 && this.#dice.chance(0.1)
    // Where it was, another one is made.
    if (isDeletion) this.#numbers[slot] = number + jobCount
    this.#open = [...this.#open, { ordinal, jobId: id, workspaceId: owner, revision, isDeletion }]
  }

  /** Forgets deletions, of those that everybody may be told of. */
  forget(): void {
    const end = this.#end
    const old = this.#committed
      .filter((each) => each.isDeletion && each.ordinal < end)
      .sort(byPlace)
      .slice(0, -deletionsKept)
    this.forgotten = Math.max(this.forgotten, old.at(-1)?.ordinal ?? 0)
  }

  close(transaction: Transaction): void {
    this.#open = this.#open.filter((each) => each !== transaction)
    this.#committed.push(transaction)
    if (transaction.isDeletion) this.#gone.add(transaction.jobId)
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

  /** What can be told behind a place. */
  #rowsAfter(from: FeedPlace): ReadonlyArray<Transaction> {
    const isTold = (each: Transaction) =>
      each.isDeletion
        ? each.ordinal > this.forgotten && this.#fault !== "forgets that jobs were deleted"
        : !this.#gone.has(each.jobId)
    const end = this.#end
    return this.#committed
      .filter((each) => each.ordinal < end && isAfter(placeOf(each), from) && isTold(each))
      .sort(byPlace)
  }

  /** What a fault tells again. */
  #again(from: FeedPlace): ReadonlyArray<Transaction> {
    const before = this.#committed.filter((each) => !isAfter(placeOf(each), from))
    if (this.#fault === "tells the last commit again") {
      return before.filter(({ isDeletion }) => !isDeletion).slice(-1)
    }
    return this.#fault === "tells again that a job was deleted"
      ? before.filter(({ isDeletion }) => isDeletion).slice(-1)
      : []
  }

  #stretch({ after, limit, workspaceIds }: FeedQuery): FeedStretch {
    const now = placeBefore(mark, this.#end)
    const nothing = {
      entries: [],
      through: now,
      hasMore: false,
      isContinued: true,
      progress: []
    }
    if (Option.isNone(after)) return nothing
    const from = after.value
    if (from.ordinal <= this.forgotten && this.#fault !== "says nothing of what it forgot") {
      return { ...nothing, isContinued: false }
    }
    const rows = this.#rowsAfter(from)
    const isShort = this.#fault === "leaves out what comes first" && this.#dice.chance(0.05)
    const left = isShort ? rows.slice(1) : rows
    const told = left.slice(0, limit)
    const hasMore = left.length > limit && this.#fault !== "takes a part for the whole"
    const last = told.at(-1)
    return {
      ...nothing,
      entries: [...this.#again(from), ...told].flatMap((each) =>
        this.#toFeedEntry(each, workspaceIds, from)
      ),
      through: hasMore && last !== undefined ? placeOf(last) : now,
      hasMore
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
      {
        jobId: each.jobId,
        workspaceId: owner ?? each.workspaceId,
        place,
        entry: each.isDeletion ? Option.none() : Option.some(toEntry(each))
      }
    ]
  }
}
