/**
 * What can be seen from outside in a run: what clients asked and were answered, what receivers got,
 * and what the ledger shows at the end. The auditor knows nothing else. Instants are milliseconds
 * since the run began.
 */

import type { Outcome } from "../../model/Linear.ts"
import type { Command } from "../../model/PresetModel.ts"

/** A request to transcribe, as its client meant it. */
export interface Submission {
  /** Names the job everywhere: in its media, its transcript and its callback. */
  readonly marker: string
  readonly durationMillis: number
  readonly hasCallback: boolean
  readonly modifier: string | null
  readonly summary: string | null
  /** The idempotency key; null when it came without one. */
  readonly key: string | null
}

/** A job in a list, as far as it is judged. */
export interface Entry {
  readonly id: string
  /** What it names; null when its client sent another `callback_id`. */
  readonly marker: string | null
  readonly status: string
}

/** The status of a job, as far as it is judged. */
export interface Seen {
  readonly status: string
  readonly transcription: string
  readonly webhook: string | null
  readonly summary: string | null
  /** The words of the output; null when there is none. */
  readonly text: string | null
  readonly error: string | null
}

/** Something that was asked between two instants. */
interface Asked {
  readonly beganAt: number
  readonly endedAt: number
}

/** A wish about a job that had ended, and its answer. */
export interface FollowUp extends Asked {
  readonly id: string
  readonly answer: string
}

/** A worker from its start to its end, if that came. */
export interface Span {
  readonly name: string
  readonly beganAt: number
  readonly endedAt: number | null
}

/** One thing seen. */
export type Fact =
  | CorrectionFact
  | NoticeFact
  | { readonly _tag: "Submitted"; readonly submission: Submission; readonly at: number }
  | { readonly _tag: "Accepted"; readonly marker: string; readonly id: string; readonly at: number }
  /** The answer to a request under an idempotency key: an id, or why there is none. */
  | (Asked & {
      readonly _tag: "Keyed"
      readonly marker: string
      /** Whether it differed from the first request under the key. */
      readonly isOther: boolean
      readonly id: string | null
      readonly refusal: string
    })
  /** A deletion, and its answer; `isAnswered` is false when that may change. */
  | (Asked & { readonly _tag: "Removed"; readonly id: string; readonly isAnswered: boolean })
  /** A webhook was asked for once more. */
  | (Asked & { readonly _tag: "Redelivery"; readonly id: string; readonly answer: string })
  /** A failed job was to run once more. */
  | (Asked & { readonly _tag: "Retry"; readonly id: string; readonly answer: string })
  /** All jobs of the workspace at the end, and how many owe something. */
  | {
      readonly _tag: "Stored"
      readonly entries: ReadonlyArray<Entry>
      readonly unfinished: number
      readonly owed: number
    }
  /** All workers that ever ran. */
  | { readonly _tag: "Surveyed"; readonly spans: ReadonlyArray<Span> }
  | (Asked & { readonly _tag: "Looked"; readonly id: string; readonly seen: Seen | "NotFound" })
  /** A transcript in one of its forms. */
  | { readonly _tag: "ResultRead"; readonly id: string; readonly body: string }
  | (Asked & { readonly _tag: "StrangerLooked"; readonly what: string; readonly answer: string })
  | (Asked & {
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
      /** What the receiver answered; null when it answered nothing. */
      readonly status: number | null
      /**
       * Whether the sender could not know better: it stood still just before, so that its clock
       * check was outdated, or it began after the stores' clock was set forward to its own.
       */
      readonly wasFrozen: boolean
    }
  /** A command to a preset, as the model tells it; one to all of them has no slug. */
  | (Asked & {
      readonly _tag: "PresetAsked"
      readonly slug: string
      readonly command: Command
      readonly isHolder: boolean
      readonly outcome: Outcome<string>
      /** The id of the preset that was removed. */
      readonly removed: string | null
    })
  /** What a follower of the workspace heard, and the commits that it should have heard. */
  | {
      readonly _tag: "Followed"
      readonly heard: ReadonlyArray<string>
      readonly committed: ReadonlyArray<string>
      readonly resets: number
    }
  /** What is stored of a preset in the end, as the model tells it. */
  | {
      readonly _tag: "PresetKept"
      readonly slug: string
      readonly at: number
      readonly answer: string
    }
  /** Rows of a preset whose removal was acknowledged. */
  | { readonly _tag: "PresetLeft"; readonly id: string; readonly rows: number }
  | { readonly _tag: "Credited"; readonly millis: number; readonly isCertain: boolean }
  | {
      readonly _tag: "LedgerRead"
      readonly balanceMillis: number
      readonly amounts: ReadonlyArray<number>
    }
  /** Media that is still stored a day after the end of its job. */
  | { readonly _tag: "MediaLeft"; readonly id: string; readonly key: string }
  /** Something was committed about a job, but not that anything of it goes. */
  | {
      readonly _tag: "Worked"
      readonly id: string
      readonly at: number
      /** Whether nothing was owed for it from then on. */
      readonly isOver: boolean
    }
  /** Something of a job went because its time was over; of media, that it was given up. */
  | {
      readonly _tag: "Took"
      readonly id: string
      readonly what: "job" | "media" | "transcript"
      readonly at: number
    }
  | { readonly _tag: "FileGone"; readonly id: string; readonly by: string; readonly at: number }
  /** From then on this is kept for so many days after the end of a job. */
  | {
      readonly _tag: "Ruled"
      readonly at: number
      readonly mediaDays: number | null
      readonly transcriptDays: number | null
      readonly jobDays: number | null
    }
  /** What was left of a job when the stores were looked through. */
  | {
      readonly _tag: "Left"
      readonly id: string
      readonly at: number
      readonly isThere: boolean
      /** Whether its transcription has succeeded. */
      readonly isTranscribed: boolean
      readonly hasTranscript: boolean
      /** What else repeats its text: summaries in its state and its history, and kept bodies. */
      readonly quotes: number
      /** Rows of it besides its own: history, transcript and body. */
      readonly rows: number
      readonly files: number
    }
  /** A look at a job after the run, by a client who is not judged otherwise. */
  | (Asked & {
      readonly _tag: "LateLook"
      readonly id: string
      readonly seen: "output" | "no output" | "removed" | "both" | "not found"
    })
  /** A wish about a job after the run. */
  | (Asked & { readonly _tag: "LateFollowUp"; readonly id: string; readonly answer: string })
  /** The ledger after all of that. */
  | { readonly _tag: "LedgerKept"; readonly amounts: ReadonlyArray<number> }
  /** A call that a process still waits for, at the end. */
  | { readonly _tag: "StillWaiting"; readonly what: string; readonly sinceMillis: number }
  | { readonly _tag: "Defect"; readonly by: string; readonly what: string }
  /** A process claimed although it had begun to stop. */
  | { readonly _tag: "ClaimedLate"; readonly by: string; readonly afterMillis: number }
  /** An attempt at a transcript that its process did not end: it died, or looked dead. */
  | { readonly _tag: "Interrupted"; readonly id: string; readonly wasAlone: boolean }
  /** An engine heard a job whose last attempt was interrupted, and another one at the same time. */
  | { readonly _tag: "SuspectBesideOthers"; readonly id: string; readonly by: string }
  /** There are no faults at all in the run. */
  | { readonly _tag: "Faultless" }
  | { readonly _tag: "StormEnded"; readonly at: number }
  | { readonly _tag: "Ended"; readonly at: number; readonly stop: string | null }

/** Facts of one tag. */
export type FactOf<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>

/** The facts of one tag, in order. */
export const factsOf = <Tag extends Fact["_tag"]>(
  facts: ReadonlyArray<Fact>,
  tag: Tag
): ReadonlyArray<FactOf<Tag>> => facts.filter((fact): fact is FactOf<Tag> => fact._tag === tag)

/** What the processes of databases are called that have no business with the media of a run. */
export const otherDatabase = "another database"

/** What a corrector asks for: names for speakers, texts for segments, or an earlier version. */
export type CorrectionKind = "Back" | "Names" | "Texts"

/** A version as the store lists it. */
export interface ListedCorrection {
  readonly version: number
  /** The version that it equals, where somebody went back. */
  readonly backTo: number | null
  /** What it changed, in its own words. */
  readonly changed: string
}

/** One thing seen. */
type CorrectionFact =
  /** A correction was asked for, and its answer. */
  | {
      readonly _tag: "CorrectionAsked"
      readonly beganAt: number
      readonly endedAt: number
      readonly id: string
      readonly kind: CorrectionKind
      /** It stands in everything that the correction writes, and in nothing else. */
      readonly token: string
      /** The version to go back to; null for other kinds. */
      readonly to: number | null
      readonly answer: string
      /** The version that was told; null when none was. */
      readonly version: number | null
    }
  /** The transcript that is stored, and all versions of its corrections, at the end. */
  | {
      readonly _tag: "CorrectionsListed"
      readonly id: string
      readonly recognised: string
      readonly versions: ReadonlyArray<ListedCorrection>
    }

/** A call of a listener. */
interface Calling {
  /** Of the job. */
  readonly id: string
  readonly noticeId: string
  readonly attempt: number
  /** Whose listener it was. */
  readonly by: string
  readonly at: number
}

/** One thing seen of a notice. */
type NoticeFact =
  /** A listener was called. */
  | (Calling & {
      readonly _tag: "Called"
      /** Whether the caller could not know better, as for a webhook. */
      readonly wasFrozen: boolean
      /** Whether all but the notice of the job that was shown was over. */
      readonly isOver: boolean
    })
  /** A listener returned. */
  | (Calling & { readonly _tag: "Heard" })
  /** The notice of a job in the end, where the host wanted to be told; null when it has none. */
  | {
      readonly _tag: "Noticed"
      readonly id: string
      readonly notice: {
        readonly id: string
        readonly state: string
        /** The last one that began. */
        readonly attempt: number
      } | null
    }
  /** A process without a listener was given a notice to give. */
  | { readonly _tag: "DeafTook"; readonly id: string; readonly by: string }

/** A guarantee that did not hold. */
export interface Violation {
  /** The guarantee, as the documents state it. */
  readonly rule: string
  readonly what: string
}
