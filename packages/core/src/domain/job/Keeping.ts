/**
 * What is still kept of a job that has ended. Media, then the transcript, then the whole job go
 * when their time is over. Media is elsewhere, so it goes in two moves: from the first one nothing
 * counts on it any more, and the second one says that it is gone.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Kept
 *   Kept --> MediaGoing: MediaExpired
 *   Kept --> TranscriptGone: TranscriptExpired
 *   MediaGoing --> MediaGone: MediaRemoved
 *   MediaGone --> TranscriptGone: TranscriptExpired
 * ```
 */
import { Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import * as Machine from "../machine/Machine.ts"

const instant = Schema.DateTimeUtcFromMillis
const identity = { id: JobId }

/** What is left. Of a job that is removed as a whole there is no state. */
export const State = Schema.TaggedUnion({
  Kept: identity,
  /** The file may still be there. Nobody may use it. */
  MediaGoing: identity,
  MediaGone: identity,
  /** Nor is any text left that was made of the transcript. What the job did can still be read. */
  TranscriptGone: { ...identity, goneAt: instant }
})
export type State = typeof State.Type

/** What can happen to it. */
export const Event = Schema.TaggedUnion({
  MediaExpired: { at: instant },
  MediaRemoved: { at: instant },
  TranscriptExpired: { at: instant }
})
export type Event = typeof Event.Type

/** Every legal edge. What is not here cannot happen. */
export const edges = {
  Kept: { MediaExpired: "MediaGoing", TranscriptExpired: "TranscriptGone" },
  MediaGoing: { MediaRemoved: "MediaGone" },
  MediaGone: { TranscriptExpired: "TranscriptGone" },
  TranscriptGone: {}
} as const satisfies Machine.Edges<State, Event>

const { MediaGoing, MediaGone, TranscriptGone } = State.cases

const close = ({ id }: State, { at }: { readonly at: typeof instant.Type }) =>
  TranscriptGone.make({ id, goneAt: at })

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Keeping",
  edges,
  moves: {
    Kept: {
      MediaExpired: ({ id }) => MediaGoing.make({ id }),
      TranscriptExpired: close
    },
    MediaGoing: { MediaRemoved: ({ id }) => MediaGone.make({ id }) },
    MediaGone: { TranscriptExpired: close },
    TranscriptGone: {}
  }
})

/** What is kept of a job: everything, unless it says otherwise. */
export const keepingOf = ({
  id,
  keeping
}: {
  readonly id: JobId
  readonly keeping?: State
}): State => keeping ?? State.cases.Kept.make({ id })
