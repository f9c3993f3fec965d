/**
 * One recording on its way to text.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> AwaitingMedia
 *   AwaitingMedia --> Queued: MediaStored
 *   AwaitingMedia --> Fetching: AttemptStarted
 *   Fetching --> Queued: MediaStored
 *   Fetching --> AwaitingMedia: RetryScheduled
 *   Fetching --> AwaitingMedia: AttemptReleased
 *   Fetching --> Failed: GivenUp
 *   Queued --> Running: AttemptStarted
 *   Running --> Transcribed: TranscriptProduced
 *   Running --> Queued: RetryScheduled
 *   Running --> Queued: AttemptReleased
 *   Running --> Failed: GivenUp
 * ```
 */
import { Schema } from "effect"
import { AttemptNumber, AttemptsSpent } from "../job/Attempt.ts"
import { Failure } from "../job/Failure.ts"
import { JobId } from "../job/JobId.ts"
import * as Machine from "../machine/Machine.ts"
import { MediaKey } from "./MediaKey.ts"
import { Millis } from "./Transcript.ts"

const instant = Schema.DateTimeUtcFromMillis

/** Media in our own store. */
export const StoredMedia = Schema.Struct({
  key: MediaKey,
  /** With its dot, lower case. */
  extension: Schema.String,
  byteLength: Schema.Int
})
export type StoredMedia = typeof StoredMedia.Type

const remote = { id: JobId, url: Schema.String }
const stored = { id: JobId, media: StoredMedia }

/** Where the recording stands. */
export const State = Schema.TaggedUnion({
  AwaitingMedia: { ...remote, attempts: AttemptsSpent, dueAt: instant },
  Fetching: { ...remote, attempt: AttemptNumber, startedAt: instant },
  Queued: { ...stored, attempts: AttemptsSpent, dueAt: instant },
  Running: { ...stored, attempt: AttemptNumber, startedAt: instant },
  Transcribed: {
    id: JobId,
    durationMillis: Millis,
    language: Schema.String,
    /** Whether nothing was said. */
    isEmpty: Schema.Boolean,
    /** Name of the engine, and of its model, that produced the text. */
    engine: Schema.String,
    endedAt: instant
  },
  Failed: {
    id: JobId,
    during: Schema.Literals(["Fetching", "Running"]),
    failure: Failure,
    endedAt: instant
  }
})
export type State = typeof State.Type

/** What can happen to it. */
export const Event = Schema.TaggedUnion({
  AttemptStarted: { at: instant },
  /** The attempt goes back unspent: its worker was asked to stop. */
  AttemptReleased: { at: instant },
  MediaStored: { at: instant, media: StoredMedia },
  TranscriptProduced: {
    at: instant,
    durationMillis: Millis,
    language: Schema.String,
    isEmpty: Schema.Boolean,
    engine: Schema.String
  },
  RetryScheduled: { at: instant, dueAt: instant, failure: Failure },
  GivenUp: { at: instant, failure: Failure }
})
export type Event = typeof Event.Type

/** Every legal edge. What is not here cannot happen. */
export const edges = {
  AwaitingMedia: { MediaStored: "Queued", AttemptStarted: "Fetching" },
  Fetching: {
    MediaStored: "Queued",
    RetryScheduled: "AwaitingMedia",
    AttemptReleased: "AwaitingMedia",
    GivenUp: "Failed"
  },
  Queued: { AttemptStarted: "Running" },
  Running: {
    TranscriptProduced: "Transcribed",
    RetryScheduled: "Queued",
    AttemptReleased: "Queued",
    GivenUp: "Failed"
  },
  Transcribed: {},
  Failed: {}
} as const satisfies Machine.Edges<State, Event>

const { AwaitingMedia, Failed, Fetching, Queued, Running, Transcribed } = State.cases

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Transcription",
  edges,
  moves: {
    AwaitingMedia: {
      MediaStored: ({ id }, { at, media }) => Queued.make({ id, media, attempts: 0, dueAt: at }),
      AttemptStarted: ({ attempts, id, url }, { at }) =>
        Fetching.make({ id, url, attempt: attempts + 1, startedAt: at })
    },
    Fetching: {
      MediaStored: ({ id }, { at, media }) => Queued.make({ id, media, attempts: 0, dueAt: at }),
      RetryScheduled: ({ attempt, id, url }, { dueAt }) =>
        AwaitingMedia.make({ id, url, attempts: attempt, dueAt }),
      AttemptReleased: ({ attempt, id, url }, { at }) =>
        AwaitingMedia.make({ id, url, attempts: attempt - 1, dueAt: at }),
      GivenUp: ({ id }, { at, failure }) =>
        Failed.make({ id, during: "Fetching", failure, endedAt: at })
    },
    Queued: {
      AttemptStarted: ({ attempts, id, media }, { at }) =>
        Running.make({ id, media, attempt: attempts + 1, startedAt: at })
    },
    Running: {
      TranscriptProduced: ({ id }, { at, durationMillis, engine, isEmpty, language }) =>
        Transcribed.make({ id, durationMillis, language, isEmpty, engine, endedAt: at }),
      RetryScheduled: ({ attempt, id, media }, { dueAt }) =>
        Queued.make({ id, media, attempts: attempt, dueAt }),
      AttemptReleased: ({ attempt, id, media }, { at }) =>
        Queued.make({ id, media, attempts: attempt - 1, dueAt: at }),
      GivenUp: ({ id }, { at, failure }) =>
        Failed.make({ id, during: "Running", failure, endedAt: at })
    },
    Transcribed: {},
    Failed: {}
  }
})
