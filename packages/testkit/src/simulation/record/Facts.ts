/**
 * Facts that are visible from outside a run, such as client requests with their answers, requests
 * to receivers, and the final ledger. The auditor sees nothing else. Timestamps are in milliseconds
 * since the run began.
 */

import type { RetentionRule } from "@verbatim/core/workspace"
import type { Outcome } from "../../model/Linear.ts"
import type { Command } from "../../model/PresetModel.ts"
import type { Recording } from "../world/Recording.ts"

/** A transcription request that a client wants to send. */
export interface Submission {
  /** The marker of the job in its media, transcript and callback. */
  readonly marker: string
  readonly durationMillis: number
  readonly hasCallback: boolean
  readonly modifier: string | null
  readonly summary: string | null
  /** The idempotency key, or null if the request had none. */
  readonly key: string | null
  /** The marker in the recording, if the recording belongs to another job. */
  readonly sound?: string
  /** Whether the job belongs to the second workspace. */
  readonly isNeighbours?: boolean
}

/** Returns the marker in a job's recording. */
export const soundOf = ({ marker, sound = marker }: Submission): string => sound

/** The audited fields of a job in a list. */
export interface Entry {
  readonly id: string
  /** The job's marker, or null if the client sent another `callback_id`. */
  readonly marker: string | null
  readonly status: string
}

/** The audited fields of a job's status. */
export interface Seen {
  readonly status: string
  readonly transcription: string
  readonly webhook: string | null
  readonly summary: string | null
  /** The output's text, or null if there is no output. */
  readonly text: string | null
  readonly error: string | null
}

/** The times of a request's start and of its answer. */
interface Interval {
  readonly beganAt: number
  readonly endedAt: number
}

/** A request about a job after its submission, such as a redelivery or retry, and the answer. */
export interface FollowUp extends Interval {
  readonly id: string
  readonly answer: string
}

/** A worker's start and, if the worker has ended, its end. */
export interface Span {
  readonly name: string
  readonly beganAt: number
  readonly endedAt: number | null
}

/** The fields of each kind of fact. */
interface Facts extends CorrectionFacts, NoticeFacts, PieceFacts {
  readonly Submitted: { readonly submission: Submission; readonly at: number }
  readonly Accepted: { readonly marker: string; readonly id: string; readonly at: number }
  /** The answer to a request with an idempotency key: an id, or the refusal. */
  readonly Keyed: Interval & {
    readonly marker: string
    /** Whether the request differed from the first request with the key. */
    readonly isOther: boolean
    readonly id: string | null
    readonly refusal: string
  }
  /** A deletion and its answer. `isAnswered` is false if a later answer may differ. */
  readonly Removed: Interval & { readonly id: string; readonly isAnswered: boolean }
  readonly Redelivery: FollowUp
  readonly Retry: FollowUp
  /** All jobs in the workspace at the end of the run, and the amount of pending work. */
  readonly Stored: {
    readonly entries: ReadonlyArray<Entry>
    readonly unfinished: number
    readonly pending: number
  }
  /** All workers that ran. */
  readonly Surveyed: { readonly spans: ReadonlyArray<Span> }
  readonly Looked: Interval & { readonly id: string; readonly seen: Seen | "NotFound" }
  /** A transcript in one output format. */
  readonly ResultRead: { readonly id: string; readonly body: string }
  readonly StrangerLooked: Interval & { readonly what: string; readonly answer: string }
  readonly Authenticated: Interval & { readonly key: string; readonly isKnown: boolean }
  readonly Revoked: { readonly key: string; readonly at: number }
  readonly Received: {
    readonly marker: string
    readonly webhookId: string
    readonly body: string
    readonly at: number
    /** The status of the receiver's response, or null if the receiver did not respond. */
    readonly status: number | null
    /**
     * Whether the sender is excused: a pause made its clock check outdated, or it started after the
     * stores' clock was set forward to the time of its own clock.
     */
    readonly wasFrozen: boolean
  }
  /** A command of the preset model. A command for all presets has no slug. */
  readonly PresetCalled: Interval & {
    readonly slug: string
    readonly command: Command
    readonly isHolder: boolean
    readonly outcome: Outcome<string>
    /** The removed preset's id. */
    readonly removed: string | null
  }
  /**
   * The commits that a subscriber to the workspace received, and those that it should have
   * received.
   */
  readonly Followed: {
    readonly heard: ReadonlyArray<string>
    readonly committed: ReadonlyArray<string>
    readonly resets: number
  }
  /** The preset as stored at the end, in the model's format. */
  readonly PresetKept: { readonly slug: string; readonly at: number; readonly answer: string }
  /** Rows that remain after the removal of their preset was acknowledged. */
  readonly PresetLeft: { readonly id: string; readonly rows: number }
  readonly Credited: {
    readonly millis: number
    readonly isCertain: boolean
    readonly isNeighbours?: boolean
  }
  readonly LedgerRead: {
    readonly isNeighbours?: boolean
    readonly balanceMillis: number
    readonly amounts: ReadonlyArray<number>
  }
  /** Media that is still stored a day after its job's end. */
  readonly MediaLeft: { readonly id: string; readonly key: string }
  /** A commit that does not delete any part of its job. */
  readonly Worked: {
    readonly id: string
    readonly at: number
    /** Whether the job had no pending work afterwards. */
    readonly isOver: boolean
  }
  /** Part of a job expired and was deleted, or the job released its media. */
  readonly Took: {
    readonly id: string
    readonly what: "job" | "media" | "transcript"
    readonly at: number
  }
  readonly FileGone: { readonly id: string; readonly by: string; readonly at: number }
  /** A retention rule took effect: how many days after its end each part of a job is kept. */
  readonly Ruled: RetentionRule & { readonly at: number }
  /** The parts of a job found in the stores. */
  readonly Left: {
    readonly id: string
    readonly at: number
    readonly isThere: boolean
    /** Whether the job's transcription succeeded. */
    readonly isTranscribed: boolean
    readonly hasTranscript: boolean
    /**
     * Number of other copies of the job's text: summaries in its state and history, and stored
     * bodies.
     */
    readonly quotes: number
    /** Number of the job's rows in other tables: history, transcript and body. */
    readonly rows: number
    readonly files: number
  }
  /** A read of a job after the run, which only the retention audit judges. */
  readonly LateLook: Interval & {
    readonly id: string
    readonly seen: "output" | "no output" | "removed" | "both" | "not found"
  }
  /** A redelivery or retry requested after the run. */
  readonly LateFollowUp: FollowUp
  /** The ledger at the end of the days after the run. */
  readonly LedgerKept: { readonly amounts: ReadonlyArray<number> }
  /** A call that was not answered by the end of the run. */
  readonly StillWaiting: { readonly what: string; readonly sinceMillis: number }
  readonly Defect: { readonly by: string; readonly what: string }
  /** A claim that a process made after it had begun to stop. */
  readonly ClaimedLate: { readonly by: string; readonly afterMillis: number }
  /**
   * A transcription attempt that its process did not end, because the process died or seemed dead.
   */
  readonly Interrupted: { readonly id: string; readonly wasAlone: boolean }
  /** An engine ran a suspect, a job with an interrupted last attempt, together with another job. */
  readonly SuspectNextToOthers: { readonly id: string; readonly by: string }
  /** The run has no faults. */
  readonly Faultless: unknown
  readonly StormEnded: { readonly at: number }
  readonly Ended: { readonly at: number; readonly stop: string | null }
}

/** A fact about a run. */
export type Fact = {
  readonly [Tag in keyof Facts]: { readonly _tag: Tag } & Facts[Tag]
}[keyof Facts]

/** The type of the facts with the given tag. */
export type FactOf<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>

/** Returns the facts with the given tag, in order. */
export const factsOf = <Tag extends Fact["_tag"]>(
  facts: ReadonlyArray<Fact>,
  tag: Tag
): ReadonlyArray<FactOf<Tag>> => facts.filter((fact): fact is FactOf<Tag> => fact._tag === tag)

/** Returns the facts with the given tag about one job, in order. */
export const factsAbout = <Tag extends Fact["_tag"]>(
  facts: ReadonlyArray<Fact>,
  tag: Tag,
  id: string | undefined
): ReadonlyArray<FactOf<Tag>> =>
  factsOf(facts, tag).filter((fact) => "id" in fact && fact.id === id)

/** Name of a process with another database, which does not own the run's media. */
export const otherDatabase = "another database"

/**
 * The kinds of corrections: speakers' names, segments' texts, or a return to an earlier version.
 */
export type CorrectionKind = "Back" | "Names" | "Texts"

/** A corrections version as the store lists it. */
export interface ListedCorrection {
  readonly version: number
  /** The version that this version restores, or null for other kinds. */
  readonly backTo: number | null
  /** The changes as JSON. */
  readonly changed: string
}

/** Facts about corrections. */
interface CorrectionFacts {
  /** A request for a correction, and its answer. */
  readonly CorrectionRequested: FollowUp & {
    readonly kind: CorrectionKind
    /**
     * A token that this correction writes into every changed text or name, and that occurs nowhere
     * else.
     */
    readonly token: string
    /** The version to restore, or null for other kinds. */
    readonly to: number | null
    /** The version in the response, or null if there was no response. */
    readonly version: number | null
  }
  /** The final transcript and all corrections versions, as stored. */
  readonly CorrectionsListed: {
    readonly id: string
    readonly recognised: string
    readonly versions: ReadonlyArray<ListedCorrection>
  }
}

interface Calling {
  readonly id: string
  readonly noticeId: string
  readonly attempt: number
  /** The process in which the listener was called. */
  readonly by: string
  readonly at: number
}

/** Facts about notices. */
interface NoticeFacts {
  /** A call to a listener began. */
  readonly Called: Calling & {
    /** Whether the caller is excused, for the same reasons as a webhook sender. */
    readonly wasFrozen: boolean
    /** Whether all other work on the job had ended, as the listener was shown. */
    readonly isOver: boolean
  }
  /** A listener returned. */
  readonly Heard: Calling
  /** A job's final notice, if the host has a listener. Null if the job has no notice. */
  readonly Noticed: {
    readonly id: string
    readonly notice: {
      readonly id: string
      readonly state: string
      /** The ordinal of the last attempt that began. */
      readonly attempt: number
    } | null
  }
  /** A process without a listener claimed a notice. */
  readonly ClaimedWithoutListener: { readonly id: string; readonly by: string }
}

/** A counted piece in a job's history. */
export interface CountedPiece {
  readonly plan: string
  readonly count: number
  readonly index: number
  readonly readyFrom: number
  readonly readyTo: number
}

/** Facts about pieces in engines and stores. */
interface PieceFacts {
  /** The settings for the recognition of pieces, which all processes share. */
  readonly PieceRules: { readonly atOnce: number; readonly areReused: boolean }
  /** The stores inserted a job. */
  readonly Created: { readonly id: string; readonly workspaceId: string }
  /** An attempt at a job began, according to the stores. */
  readonly AttemptBegan: { readonly id: string; readonly attempt: number }
  /** An engine began to recognise the pieces of a recording. */
  readonly PiecesBegan: {
    readonly id: string
    readonly by: string
    /** The attempt's number, unique within a run. */
    readonly attempt: number
    readonly recording: Recording
    /** The requested language, or null if the engine detects it. */
    readonly language: string | null
  }
  /** An engine began to recognise a piece. */
  readonly PieceHeard: {
    readonly attempt: number
    readonly index: number
    readonly language: string
    readonly sentences: number
    /** Number of pieces that the process is recognising, including this piece. */
    readonly atOnce: number
  }
  /** A piece was stored with its job, even if the worker got no response. */
  readonly PieceStored: {
    readonly id: string
    readonly attempt: number
    readonly workspaceId: string
    readonly index: number
    readonly isReused: boolean
  }
  /** The pieces of a job were deleted. */
  readonly PiecesGone: { readonly id: string }
  /** A transcript was stored. */
  readonly Transcribed: { readonly id: string; readonly attempt: number }
  /** A job's counted pieces and transcript, as stored at the end. */
  readonly PiecesRead: {
    readonly id: string
    readonly counted: ReadonlyArray<CountedPiece>
    readonly transcript: { readonly language: string; readonly said: string } | null
  }
}

/** A broken guarantee. */
export interface Violation {
  readonly rule: string
  readonly what: string
}

/** A guarantee with the evidence against it, or undefined if it held. */
export type Claim = readonly [rule: string, what: string | undefined]

/** Creates a rule that judges each fact with this tag on its own. */
export const makeRule =
  <Tag extends Fact["_tag"]>(
    tag: Tag,
    rule: string,
    explain: (fact: FactOf<Tag>) => string | undefined
  ) =>
  (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
    factsOf(facts, tag).flatMap((fact) => {
      const what = explain(fact)
      return what === undefined ? [] : [{ rule, what }]
    })

/** Returns the broken guarantees among claims about one subject. */
export const toViolations = (
  name: string,
  claims: ReadonlyArray<Claim>
): ReadonlyArray<Violation> =>
  claims.flatMap(([rule, what]) => (what === undefined ? [] : [{ rule, what: `${name}: ${what}` }]))
