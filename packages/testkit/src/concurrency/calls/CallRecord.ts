/**
 * Store calls and their answers as plain values that processes can exchange. Numbers stand for
 * jobs, tokens, versions and credits.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import type { Outcome } from "../../model/Linear.ts"
import type { Command } from "../../model/PresetModel.ts"
import type { EventSpec, JobShape } from "./JobSpec.ts"

/** The record that a store keeps for the first request with a key. */
export interface KeyRecord {
  readonly job: number
  readonly atMillis: number
}

/** A lease, identified by the numbers of its job and its token. */
export interface LeaseOf {
  readonly job: number
  readonly token: number
}

/** A job as a call returned it. Two jobs with the same digest are equal in every field. */
export interface JobSight {
  readonly job: number
  readonly revision: number
  readonly digest: string
}

/** The inputs to each kind of call. Calls about jobs have the same names as in the ports. */
export interface Calls {
  readonly insert: {
    readonly job: number
    readonly shape: JobShape
    readonly key: { readonly name: string; readonly atMillis: number } | null
    /**
     * Whether the workspace has a limit on unfinished jobs. The limit is too high to be reached.
     */
    readonly isLimited?: boolean
  }
  readonly commit: {
    readonly job: number
    /** The job's revision after the commit. */
    readonly revision: number
    readonly spec: EventSpec
    readonly token: number | null
    readonly isLeaseKept: boolean
    /** The number of the written transcript, or null if the commit writes none. */
    readonly transcript: number | null
    /** The charge. Each commit has a different one, so a ledger line identifies its commit. */
    readonly chargeMillis: number | null
  }
  readonly claim: { readonly token: number; readonly kinds: ReadonlyArray<WorkKind> }
  readonly renew: { readonly leases: ReadonlyArray<LeaseOf> }
  readonly release: { readonly leases: ReadonlyArray<LeaseOf> }
  readonly find: { readonly job: number }
  readonly remove: { readonly job: number }
  readonly history: { readonly job: number }
  readonly transcript: { readonly job: number }
  readonly idempotency: { readonly key: string }
  /** Expires the leases on some jobs. */
  readonly lapse: { readonly jobs: ReadonlyArray<number> }
  readonly hold:
    | { readonly of: "job" | "work"; readonly job: number }
    | { readonly of: "preset"; readonly slug: string }
  /** Commands that protect or unprotect a label affect all presets, so their slug is empty. */
  readonly preset: {
    readonly slug: string
    readonly command: Command
    readonly isHolder: boolean
  }
  readonly ledger: Record<never, never>
}

/** The answers to each kind of call. */
export interface Answers {
  /** The key's earlier record, or null if the job was inserted. */
  readonly insert: KeyRecord | null
  readonly commit: null
  readonly claim: { readonly nowMillis: number; readonly jobs: ReadonlyArray<JobSight> }
  /** Jobs with leases that are still held. */
  readonly renew: {
    readonly extended: ReadonlyArray<number>
    /** Jobs that could not be checked because their rows were locked. */
    readonly busy: ReadonlyArray<number>
  }
  readonly release: null
  readonly find: JobSight | null
  readonly remove: JobSight | null
  /** One line per commit, with its revision, timestamp, token and a digest of its events. */
  readonly history: ReadonlyArray<string>
  readonly transcript: number | null
  readonly idempotency: KeyRecord | null
  readonly lapse: null
  readonly hold: null
  /** The answer to a preset command, in the model's format. */
  readonly preset: string
  readonly ledger: { readonly balanceMillis: number; readonly amounts: ReadonlyArray<number> }
}

export type CallName = keyof Calls

/** The record of a call: its input, outcome, start and end. */
export interface RecordOf<A extends CallName> {
  /** The record's number, which is unique within a round. */
  readonly id: number
  readonly call: A
  readonly input: Calls[A]
  readonly outcome: Outcome<Answers[A]>
  /** Milliseconds on a clock shared by all processes on the machine. */
  readonly invoked: number
  readonly returned: number
  /** The caller: one fiber in one process. */
  readonly by: string
}

/** The record of any call. */
export type Recorded = { readonly [A in CallName]: RecordOf<A> }[CallName]
