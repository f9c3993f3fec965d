/**
 * What is asked of the stores and what they answer, as plain values, so that a record of both can
 * go from one process to another. Jobs, tokens, versions and credits are numbers here.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import type { Outcome } from "../../model/Linear.ts"
import type { Command } from "../../model/PresetModel.ts"
import type { EventSpec } from "./EventSpec.ts"
import type { JobShape } from "./JobShape.ts"

/** The first request under a key, as a store remembers it. */
export interface KeyRecord {
  readonly job: number
  readonly atMillis: number
}

/** A lease, by the numbers of its job and its token. */
export interface LeaseOf {
  readonly job: number
  readonly token: number
}

/** A job as somebody saw it: two with the same digest are the same in every field. */
export interface JobSight {
  readonly job: number
  readonly revision: number
  readonly digest: string
}

/** Everything that can be asked. The names of jobs' questions are those of the ports. */
export interface Questions {
  readonly insert: {
    readonly job: number
    readonly shape: JobShape
    readonly key: { readonly name: string; readonly atMillis: number } | null
    /** Whether its workspace may have only so many unfinished jobs: more than there are. */
    readonly isLimited?: boolean
  }
  readonly commit: {
    readonly job: number
    /** The revision of the job after it. */
    readonly revision: number
    readonly spec: EventSpec
    readonly token: number | null
    readonly isLeaseKept: boolean
    /** The number of its transcript; none when there is none. */
    readonly transcript: number | null
    /** No two commits have the same, so that a line of the ledger tells whose it is. */
    readonly chargeMillis: number | null
  }
  readonly claim: { readonly token: number; readonly kinds: ReadonlyArray<WorkKind> }
  readonly renew: { readonly leases: ReadonlyArray<LeaseOf>; readonly locked: number | null }
  readonly release: { readonly leases: ReadonlyArray<LeaseOf> }
  readonly find: { readonly job: number }
  readonly remove: { readonly job: number }
  readonly history: { readonly job: number }
  readonly transcript: { readonly job: number }
  readonly idempotency: { readonly key: string }
  /** Somebody makes the leases of jobs lapse. */
  readonly lapse: { readonly jobs: ReadonlyArray<number> }
  /** Somebody locks a row. */
  readonly hold:
    | { readonly of: "job" | "work"; readonly job: number }
    | { readonly of: "preset"; readonly slug: string }
    | { readonly of: "key"; readonly key: string }
    | { readonly of: "workspace" }
  /** Protections are of all presets: their slug is empty. */
  readonly preset: {
    readonly slug: string
    readonly command: Command
    readonly isHolder: boolean
  }
  readonly ledger: Record<never, never>
}

/** The answer to each question. */
export interface Answers {
  /** The earlier record; none when the job was made. */
  readonly insert: KeyRecord | null
  readonly commit: null
  readonly claim: { readonly nowMillis: number; readonly jobs: ReadonlyArray<JobSight> }
  /** The jobs whose leases are still held. */
  readonly renew: {
    readonly extended: ReadonlyArray<number>
    /** Those that nobody could tell, because the row was locked. */
    readonly busy: ReadonlyArray<number>
  }
  readonly release: null
  readonly find: JobSight | null
  readonly remove: JobSight | null
  /** One line for each commit: revision, instant, token and a digest of its events. */
  readonly history: ReadonlyArray<string>
  readonly transcript: number | null
  readonly idempotency: KeyRecord | null
  readonly lapse: null
  readonly hold: null
  /** As the model tells it. */
  readonly preset: string
  readonly ledger: { readonly balanceMillis: number; readonly amounts: ReadonlyArray<number> }
}

export type Ask = keyof Questions

/** One question of that kind with its outcome, and when it was asked and answered. */
export interface RecordOf<A extends Ask> {
  /** Unique within a round. */
  readonly id: number
  readonly ask: A
  readonly question: Questions[A]
  readonly outcome: Outcome<Answers[A]>
  /** Milliseconds on a clock that all processes of a machine share. */
  readonly invoked: number
  readonly returned: number
  /** Who asked: a process and one of its fibers. */
  readonly by: string
}

/** One question of any kind with its outcome. */
export type Recorded = { readonly [A in Ask]: RecordOf<A> }[Ask]
