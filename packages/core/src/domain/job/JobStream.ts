/**
 * Events of jobs as subscribers receive them. Each event looks as in the history, and has a cursor
 * from which to resume and the text that the event made readable. Clients do not interpret cursors.
 */
import { Option, Schema, Struct } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import { Output, toOutputEntry } from "../rendering/Rendering.ts"
import type { Segment } from "../transcription/Transcript.ts"
import { type HistoryCommit, HistoryEvent, toHistoryEvents } from "./JobHistory.ts"

const { speaker: _, ...segmentFields } = Output.fields.list.value.fields

/** A job's event, as subscribers receive it. */
export const StreamedEvent = Schema.Struct({
  id: Schema.String,
  ...HistoryEvent.fields,
  /**
   * The text that the event made readable, in order. It replaces all partial text from the start of
   * its first segment onwards. Missing if the event made nothing readable.
   */
  segments: Schema.optionalKey(Schema.Array(Schema.Struct(segmentFields))),
  /** Marks the text in `segments` as partial, because the final transcript can differ from it. */
  partial: Schema.optionalKey(Schema.Literal(true))
})
export type StreamedEvent = typeof StreamedEvent.Type

/** The recognised fraction of a recording, from 0 to 1. */
export const StreamedProgress = Schema.Struct({
  id: Schema.String,
  progress: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})

/** The id of a job that has ended or was deleted. */
export const StreamedJob = Schema.Struct({ id: Schema.String })

/**
 * A message to a subscriber, with a cursor from which to resume after the message. Progress has no
 * cursor, because the history does not contain it.
 */
export type StreamMessage =
  | { readonly event: "event"; readonly cursor: string; readonly data: StreamedEvent }
  | { readonly event: "progress"; readonly data: typeof StreamedProgress.Type }
  /** The job has ended. Nothing more happens to it unless a retry or a redelivery is requested. */
  | { readonly event: "end"; readonly cursor: string; readonly data: typeof StreamedJob.Type }
  /**
   * The job was deleted. In a workspace's stream, the message has a cursor; a job's own stream ends
   * with this message.
   */
  | {
      readonly event: "deleted"
      readonly cursor?: string
      readonly data: typeof StreamedJob.Type
    }
  /** The events after the subscriber's cursor are no longer available. */
  | { readonly event: "reset"; readonly cursor: string }
  /** The subscriber has received all events before this cursor. */
  | { readonly event: "reached"; readonly cursor: string }
  /** Nothing has happened for a while; the stream is still open. */
  | { readonly event: "quiet" }

/** A cursor in the history of one job, among the events of one commit. */
export interface JobCursor {
  readonly revision: number
  /** The index of the last event that was sent; infinite if all of them were sent. */
  readonly index: number
}

const endText = "end"

const indexText = (index: number): string => (Number.isFinite(index) ? String(index) : endText)

const toIndex = (text: string): number =>
  text === endText ? Number.POSITIVE_INFINITY : Number(text)

/** Formats a cursor in the history of one job. */
export const formatJobCursor = ({ index, revision }: JobCursor): string =>
  `${revision}.${indexText(index)}`

const jobPlacePattern = /^(?<revision>\d{1,9})\.(?<index>\d{1,6}|end)$/

/** Parses a cursor in the history of one job; returns none if it is invalid. */
export const parseJobCursor = (text: string): Option.Option<JobCursor> => {
  const { index, revision } = jobPlacePattern.exec(text)?.groups ?? {}
  return revision === undefined || index === undefined
    ? Option.none()
    : Option.some({ revision: Number(revision), index: toIndex(index) })
}

/**
 * Converts the events of a commit to the form that subscribers receive. A commit that this release
 * cannot read becomes one event named `unreadable`.
 */
export const toStreamedEvents = (
  id: JobId,
  {
    at,
    events,
    revision
  }: Omit<HistoryCommit, "events"> & {
    readonly events: Option.Option<HistoryCommit["events"]>
  }
): ReadonlyArray<StreamedEvent> =>
  toHistoryEvents(
    Option.match(events, {
      onNone: () => ({ revision, at, events: [], isUnreadable: true }),
      onSome: (known) => ({ revision, at, events: known })
    })
  ).map((happening) => ({ id, ...happening }))

/** Adds the text that became readable with an event. */
export const withText = (event: StreamedEvent, segments: ReadonlyArray<Segment>): StreamedEvent =>
  segments.length === 0
    ? event
    : {
        ...event,
        segments: segments.map((segment) => Struct.omit(toOutputEntry(segment), ["speaker"])),
        partial: true
      }
