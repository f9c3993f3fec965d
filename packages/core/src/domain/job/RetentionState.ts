/**
 * The retention state of a finished job. First the media expires and is removed, then the
 * transcript, then the whole job. Media is stored elsewhere, so its removal takes two events: the
 * first stops all use of the media, and the second records that the file is gone.
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

/** The parts of a job that still exist. A job that is removed as a whole has no state. */
export const State = Schema.TaggedUnion({
  Kept: identity,
  /** The media file may still exist, but is no longer used. */
  MediaGoing: identity,
  MediaGone: identity,
  /** The transcript and all text derived from it were deleted. The history remains. */
  TranscriptGone: { ...identity, goneAt: instant }
})
export type State = typeof State.Type

/** The events that change a job's retention state. */
export const Event = Schema.TaggedUnion({
  MediaExpired: { at: instant },
  MediaRemoved: { at: instant },
  TranscriptExpired: { at: instant }
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
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
  name: "RetentionState",
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

/** Returns the retention state of a job; `Kept` by default. */
export const retentionStateOf = ({
  id,
  keeping
}: {
  readonly id: JobId
  readonly keeping?: State
}): State => keeping ?? State.cases.Kept.make({ id })
