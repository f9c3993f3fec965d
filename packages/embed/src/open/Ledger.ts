/** The ledger of a workspace of a host, page by page. */
import type { LedgerLine as CoreLine } from "@verbatim/core/job"
import { readPage, Usage } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"

/** A charge or a credit. */
export interface LedgerLine {
  readonly at: Date
  /** Milliseconds of audio; negative where they were taken. */
  readonly millis: number
  /** The job that was charged, which may be deleted; null for a credit. */
  readonly jobId: string | null
  /** The key that asked for the job; null where no key did, and for a credit. */
  readonly keyId: string | null
  /** Null for a charge. */
  readonly creditId: string | null
}

/** Which lines are read: the newest first. */
export interface LedgerWanted {
  /** What the page before has as `next`. */
  readonly before?: number
  /** Default: 100, at most 1000. */
  readonly limit?: number
}

/** A page of a ledger. */
export interface LedgerPage {
  readonly items: ReadonlyArray<LedgerLine>
  /** What `before` is for the next page; null on the last one. */
  readonly next: number | null
}

/** Lines of a page, when nobody says how many. */
const pageDefault = 100

const toLine = ({ at, millis, reason }: CoreLine): LedgerLine => ({
  at: DateTime.toDate(at),
  millis,
  ...(reason._tag === "Charge"
    ? { jobId: reason.jobId, keyId: reason.keyId, creditId: null }
    : { jobId: null, keyId: null, creditId: reason.creditId })
})

/** Reads a page of the ledger of a workspace. */
export const ledgerOf = Effect.fnUntraced(function* (
  { workspaceId }: Principal,
  { before, limit = pageDefault }: LedgerWanted = {}
) {
  const usage = yield* Usage
  const { last, rows } = yield* readPage(limit, (lineMax) =>
    usage.ledger({ workspaceId, before: before ?? null, limit: lineMax })
  )
  return { items: rows.map(toLine), next: last?.place ?? null } satisfies LedgerPage
})
