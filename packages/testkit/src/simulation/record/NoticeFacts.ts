/** What can be seen of notices: calls of listeners, and what became of each notice. */

import type { Hook } from "@verbatim/core/notice"

/** A call of a listener. */
interface Calling {
  /** Of the job. */
  readonly id: string
  readonly noticeId: string
  readonly hook: Hook
  readonly attempt: number
  /** Whose listener it was. */
  readonly by: string
  readonly at: number
}

/** One thing seen of a notice. */
export type NoticeFact =
  /** A listener was called. */
  | (Calling & {
      readonly _tag: "Called"
      /** Whether the caller could not know better, as for a webhook. */
      readonly wasFrozen: boolean
      /** Whether all but the notices of the job that was shown was over. */
      readonly isOver: boolean
      /** Whether that job had its transcript. */
      readonly isTranscribed: boolean
    })
  /** A listener returned. */
  | (Calling & { readonly _tag: "Heard" })
  /** The host was to be told once more. */
  | {
      readonly _tag: "Renotified"
      readonly id: string
      readonly answer: string
      readonly beganAt: number
      readonly endedAt: number
    }
  /** The notice of a job in the end, where the host wanted to be told; null when it has none. */
  | {
      readonly _tag: "Noticed"
      readonly id: string
      readonly hook: Hook
      /** Whether it was to be given: a job that failed has no transcript to be told of. */
      readonly isDue: boolean
      readonly notice: {
        readonly id: string
        readonly state: string
        /** The last one that began. */
        readonly attempt: number
      } | null
    }
  /** A process without a listener was given a notice to give. */
  | { readonly _tag: "DeafTook"; readonly id: string; readonly by: string }
