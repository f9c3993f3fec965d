/** What a host is told that listens to jobs, in the words of the API's live events. */
import type { Told } from "@verbatim/core/job"

/** Something that happened to a job. Each detail is there where it means something. */
export interface LiveHappening {
  /** The id of the job. */
  readonly id: string
  /** Number of the commit that wrote it; the creation is 1. */
  readonly revision: number
  /** An instant such as `2026-01-02T03:04:05.678Z`. */
  readonly at: string
  readonly about: "job" | "transcription" | "summary" | "webhook" | "notice"
  /** For example `accepted`. */
  readonly event: string
  readonly [detail: string]: unknown
}

/** What happens to jobs. `place` is where to go on from later. */
export type LiveEvent =
  | { readonly event: "event"; readonly place: string; readonly data: LiveHappening }
  /** From 0 to 1. It has no place: only the latest one is told. */
  | {
      readonly event: "progress"
      readonly data: { readonly id: string; readonly progress: number }
    }
  /** Nothing more happens to the job unless somebody asks for it. */
  | { readonly event: "end"; readonly place: string; readonly data: { readonly id: string } }
  /** Among the events of all jobs it has a place; those of the job itself end with it. */
  | {
      readonly event: "deleted"
      readonly place?: string
      readonly data: { readonly id: string }
    }
  /** What came before cannot be told any more: list the jobs again. */
  | { readonly event: "reset"; readonly place: string }

/** What there is to tell: that nothing happened is nothing. */
export const toLiveEvents = (told: Told): ReadonlyArray<LiveEvent> =>
  told.event === "reached" ? [] : [told]
