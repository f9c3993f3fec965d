/** What can be seen of notices: calls of listeners, and what became of each notice. */

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
export type NoticeFact =
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
