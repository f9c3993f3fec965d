/**
 * What happens to jobs as somebody is told who listens: each event as the history shows it, with a
 * place to go on from. Places are texts that only we write and read.
 */
import { Option, Schema } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import { Happening, type HistoryCommit, happenings } from "./JobHistory.ts"

/** An event of a job. */
export const StreamedEvent = Schema.Struct({ id: Schema.String, ...Happening.fields })
export type StreamedEvent = typeof StreamedEvent.Type

/** How much of the recording of a job is recognised. */
export const StreamedProgress = Schema.Struct({
  id: Schema.String,
  progress: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})

/** The job that a stream has told everything of. */
export const StreamedJob = Schema.Struct({ id: Schema.String })

/**
 * What a listener is told. `place` is where to go on from after it; progress has none, because the
 * history does not keep it.
 */
export type Told =
  | { readonly event: "event"; readonly place: string; readonly data: StreamedEvent }
  | { readonly event: "progress"; readonly data: typeof StreamedProgress.Type }
  /** Nothing more happens to the job unless somebody asks for it. */
  | { readonly event: "end"; readonly place: string; readonly data: typeof StreamedJob.Type }
  /** It has a place among the events of a workspace; the stream of the job itself ends with it. */
  | {
      readonly event: "deleted"
      readonly place?: string
      readonly data: typeof StreamedJob.Type
    }
  /** What came after the place that the listener gave cannot be told any more. */
  | { readonly event: "reset"; readonly place: string }
  /** Nothing happened up to here. */
  | { readonly event: "reached"; readonly place: string }
  /** Nothing has happened for a while, and the stream is still there. */
  | { readonly event: "quiet" }

/** A place within the events of one commit: those up to `index` were told. */
export interface EventPlace {
  readonly revision: number
  /** Infinite where all of them were told. */
  readonly index: number
}

const endText = "end"

const indexText = (index: number): string => (Number.isFinite(index) ? String(index) : endText)

const toIndex = (text: string): number =>
  text === endText ? Number.POSITIVE_INFINITY : Number(text)

/** A place in the history of one job. */
export const formatJobPlace = ({ index, revision }: EventPlace): string =>
  `${revision}.${indexText(index)}`

const jobPlacePattern = /^(?<revision>\d{1,9})\.(?<index>\d{1,6}|end)$/

/** Reads a place in the history of one job; none when it is not one. */
export const parseJobPlace = (text: string): Option.Option<EventPlace> => {
  const { index, revision } = jobPlacePattern.exec(text)?.groups ?? {}
  return revision === undefined || index === undefined
    ? Option.none()
    : Option.some({ revision: Number(revision), index: toIndex(index) })
}

/** The events of a commit, as they are told. One that cannot be read here is told as such. */
export const toStreamed = (
  id: JobId,
  {
    at,
    events,
    revision
  }: Omit<HistoryCommit, "events"> & {
    readonly events: Option.Option<HistoryCommit["events"]>
  }
): ReadonlyArray<StreamedEvent> =>
  happenings(
    Option.match(events, {
      onNone: () => ({ revision, at, events: [], isUnreadable: true }),
      onSome: (known) => ({ revision, at, events: known })
    })
  ).map((happening) => ({ id, ...happening }))
