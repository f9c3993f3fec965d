/**
 * Facts visible from outside a run: what clients requested and got, what receivers got, and what
 * the ledger shows at the end. The auditor sees nothing else. Instants are milliseconds since the
 * run began.
 */

import type { Outcome } from "../../model/Linear.ts"
import type { Command } from "../../model/PresetModel.ts"

/** A request to transcribe, as its client intended it. */
export interface Submission {
  /** Names the job in its media, its transcript and its callback. */
  readonly marker: string
  readonly durationMillis: number
  readonly hasCallback: boolean
  readonly modifier: string | null
  readonly summary: string | null
  /** The idempotency key; null when the request had none. */
  readonly key: string | null
}

/** The audited fields of a job in a list. */
export interface Entry {
  readonly id: string
  /** Its marker; null when its client sent another `callback_id`. */
  readonly marker: string | null
  readonly status: string
}

/** The audited fields of a job's status. */
export interface Seen {
  readonly status: string
  readonly transcription: string
  readonly webhook: string | null
  readonly summary: string | null
  /** The text of the output; null when there is none. */
  readonly text: string | null
  readonly error: string | null
}

/** A request, from sending it to its answer. */
interface Interval {
  readonly beganAt: number
  readonly endedAt: number
}

/** A redelivery or retry requested for an ended job, and its answer. */
export interface FollowUp extends Interval {
  readonly id: string
  readonly answer: string
}

/** A worker from its start to its end, if it has ended. */
export interface Span {
  readonly name: string
  readonly beganAt: number
  readonly endedAt: number | null
}

/** One observation. */
export type Fact =
  | CorrectionFact
  | NoticeFact
  | { readonly _tag: "Submitted"; readonly submission: Submission; readonly at: number }
  | { readonly _tag: "Accepted"; readonly marker: string; readonly id: string; readonly at: number }
  /** The answer to a request with an idempotency key: an id, or the refusal. */
  | (Interval & {
      readonly _tag: "Keyed"
      readonly marker: string
      /** Whether it differed from the first request with the key. */
      readonly isOther: boolean
      readonly id: string | null
      readonly refusal: string
    })
  /** A deletion, and its answer; `isAnswered` is false if a later answer can differ. */
  | (Interval & { readonly _tag: "Removed"; readonly id: string; readonly isAnswered: boolean })
  /** A redelivery was requested. */
  | (Interval & { readonly _tag: "Redelivery"; readonly id: string; readonly answer: string })
  /** A retry was requested. */
  | (Interval & { readonly _tag: "Retry"; readonly id: string; readonly answer: string })
  /** All jobs of the workspace at the end, and how much work is pending. */
  | {
      readonly _tag: "Stored"
      readonly entries: ReadonlyArray<Entry>
      readonly unfinished: number
      readonly owed: number
    }
  /** All workers that ran. */
  | { readonly _tag: "Surveyed"; readonly spans: ReadonlyArray<Span> }
  | (Interval & { readonly _tag: "Looked"; readonly id: string; readonly seen: Seen | "NotFound" })
  /** A transcript in one output format. */
  | { readonly _tag: "ResultRead"; readonly id: string; readonly body: string }
  | (Interval & { readonly _tag: "StrangerLooked"; readonly what: string; readonly answer: string })
  | (Interval & {
      readonly _tag: "Authenticated"
      readonly key: string
      readonly isKnown: boolean
    })
  | { readonly _tag: "Revoked"; readonly key: string; readonly at: number }
  | {
      readonly _tag: "Received"
      readonly marker: string
      readonly webhookId: string
      readonly body: string
      readonly at: number
      /** The receiver's status; null when it did not answer. */
      readonly status: number | null
      /**
       * Whether the sender is excused: it was paused just before, so its clock check was outdated,
       * or it started after the stores' clock was set forward to its own.
       */
      readonly wasFrozen: boolean
    }
  /**
   * A command to a preset, in the terms of the model; one that concerns all presets has no slug.
   */
  | (Interval & {
      readonly _tag: "PresetCalled"
      readonly slug: string
      readonly command: Command
      readonly isHolder: boolean
      readonly outcome: Outcome<string>
      /** The id of the removed preset. */
      readonly removed: string | null
    })
  /**
   * The commits that a subscriber of the workspace received, and those that it should have
   * received.
   */
  | {
      readonly _tag: "Followed"
      readonly heard: ReadonlyArray<string>
      readonly committed: ReadonlyArray<string>
      readonly resets: number
    }
  /** The stored preset at the end, in the terms of the model. */
  | {
      readonly _tag: "PresetKept"
      readonly slug: string
      readonly at: number
      readonly answer: string
    }
  /** Rows left of a preset whose removal was acknowledged. */
  | { readonly _tag: "PresetLeft"; readonly id: string; readonly rows: number }
  | { readonly _tag: "Credited"; readonly millis: number; readonly isCertain: boolean }
  | {
      readonly _tag: "LedgerRead"
      readonly balanceMillis: number
      readonly amounts: ReadonlyArray<number>
    }
  /** Media still stored a day after the end of its job. */
  | { readonly _tag: "MediaLeft"; readonly id: string; readonly key: string }
  /** A commit to a job, other than one that deletes something of it. */
  | {
      readonly _tag: "Worked"
      readonly id: string
      readonly at: number
      /** Whether the job had no pending work afterwards. */
      readonly isOver: boolean
    }
  /** Something of a job was deleted because it expired; for media, that it was given up. */
  | {
      readonly _tag: "Took"
      readonly id: string
      readonly what: "job" | "media" | "transcript"
      readonly at: number
    }
  | { readonly _tag: "FileGone"; readonly id: string; readonly by: string; readonly at: number }
  /** A retention rule took effect: days to keep each after the end of a job. */
  | {
      readonly _tag: "Ruled"
      readonly at: number
      readonly mediaDays: number | null
      readonly transcriptDays: number | null
      readonly jobDays: number | null
    }
  /** The parts of a job that a reading of the stores found. */
  | {
      readonly _tag: "Left"
      readonly id: string
      readonly at: number
      readonly isThere: boolean
      /** Whether its transcription succeeded. */
      readonly isTranscribed: boolean
      readonly hasTranscript: boolean
      /** Other copies of its text: summaries in state and history, and kept bodies. */
      readonly quotes: number
      /** Its rows in other tables: history, transcript and body. */
      readonly rows: number
      readonly files: number
    }
  /** A read of a job after the run, not audited otherwise. */
  | (Interval & {
      readonly _tag: "LateLook"
      readonly id: string
      readonly seen: "output" | "no output" | "removed" | "both" | "not found"
    })
  /** A redelivery or retry requested after the run. */
  | (Interval & { readonly _tag: "LateFollowUp"; readonly id: string; readonly answer: string })
  /** The ledger after the following days. */
  | { readonly _tag: "LedgerKept"; readonly amounts: ReadonlyArray<number> }
  /** A call still unanswered at the end. */
  | { readonly _tag: "StillWaiting"; readonly what: string; readonly sinceMillis: number }
  | { readonly _tag: "Defect"; readonly by: string; readonly what: string }
  /** A process claimed after it had begun to stop. */
  | { readonly _tag: "ClaimedLate"; readonly by: string; readonly afterMillis: number }
  /** A transcription attempt that its process did not end: it died, or seemed dead. */
  | { readonly _tag: "Interrupted"; readonly id: string; readonly wasAlone: boolean }
  /** An engine ran a job whose last attempt was interrupted next to another one. */
  | { readonly _tag: "SuspectNextToOthers"; readonly id: string; readonly by: string }
  /** The run has no faults. */
  | { readonly _tag: "Faultless" }
  | { readonly _tag: "StormEnded"; readonly at: number }
  | { readonly _tag: "Ended"; readonly at: number; readonly stop: string | null }

/** The fact with this tag. */
export type FactOf<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>

/** Returns the facts with this tag, in order. */
export const factsOf = <Tag extends Fact["_tag"]>(
  facts: ReadonlyArray<Fact>,
  tag: Tag
): ReadonlyArray<FactOf<Tag>> => facts.filter((fact): fact is FactOf<Tag> => fact._tag === tag)

/** Name of the processes of databases that do not own the media of the run. */
export const otherDatabase = "another database"

/**
 * The changes of a correction: names of speakers, texts of segments, or a return to an earlier
 * version.
 */
export type CorrectionKind = "Back" | "Names" | "Texts"

/** A corrections version as the store lists it. */
export interface ListedCorrection {
  readonly version: number
  /** The version that it restores, if it is a return. */
  readonly backTo: number | null
  /** Its changes, as JSON. */
  readonly changed: string
}

/** One observation. */
type CorrectionFact =
  /** A correction was requested, and its answer. */
  | {
      readonly _tag: "CorrectionRequested"
      readonly beganAt: number
      readonly endedAt: number
      readonly id: string
      readonly kind: CorrectionKind
      /** A token in everything that this correction writes, and nowhere else. */
      readonly token: string
      /** The version to restore; null for other kinds. */
      readonly to: number | null
      readonly answer: string
      /** The version in the answer; null when there was none. */
      readonly version: number | null
    }
  /** The stored transcript, and all versions of its corrections, at the end. */
  | {
      readonly _tag: "CorrectionsListed"
      readonly id: string
      readonly recognised: string
      readonly versions: ReadonlyArray<ListedCorrection>
    }

/** A call of a listener. */
interface Calling {
  /** Id of the job. */
  readonly id: string
  readonly noticeId: string
  readonly attempt: number
  /** The process with the listener. */
  readonly by: string
  readonly at: number
}

/** One observation of a notice. */
type NoticeFact =
  /** A listener was called. */
  | (Calling & {
      readonly _tag: "Called"
      /** Whether the caller is excused, as for a webhook. */
      readonly wasFrozen: boolean
      /** Whether everything else of the job had ended, as shown to the listener. */
      readonly isOver: boolean
    })
  /** A listener returned. */
  | (Calling & { readonly _tag: "Heard" })
  /** The notice of a job at the end, if the host has a listener; null when there is none. */
  | {
      readonly _tag: "Noticed"
      readonly id: string
      readonly notice: {
        readonly id: string
        readonly state: string
        /** The last attempt that began. */
        readonly attempt: number
      } | null
    }
  /** A process without a listener claimed a notice. */
  | { readonly _tag: "ClaimedWithoutListener"; readonly id: string; readonly by: string }

/** A broken guarantee. */
export interface Violation {
  /** The guarantee, in the words of the documents. */
  readonly rule: string
  readonly what: string
}
