/**
 * The transcription of one recording.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> AwaitingMedia
 *   AwaitingMedia --> Queued: MediaStored
 *   AwaitingMedia --> Fetching: AttemptStarted
 *   Fetching --> Queued: MediaStored
 *   Fetching --> AwaitingMedia: RetryScheduled
 *   Fetching --> AwaitingMedia: AttemptReleased
 *   Fetching --> AwaitingMedia: AttemptPostponed
 *   Fetching --> AwaitingMedia: AttemptLost
 *   Fetching --> Failed: GivenUp
 *   Queued --> Running: AttemptStarted
 *   Running --> Running: PieceRecognised
 *   Running --> Transcribed: TranscriptProduced
 *   Running --> Queued: RetryScheduled
 *   Running --> Queued: AttemptReleased
 *   Running --> Queued: AttemptPostponed
 *   Running --> Queued: AttemptLost
 *   Running --> Failed: GivenUp
 * ```
 */
import { Schema } from "effect"
import * as Attempt from "../attempt/Attempt.ts"
import { JobId } from "../attempt/Attempt.ts"
import { Failure } from "../attempt/Failure.ts"
import * as Machine from "../machine/Machine.ts"
import { MediaKey } from "./MediaKey.ts"
import { countPiece, PieceProgress, recognisedFields } from "./Piece.ts"
import { Millis } from "./Transcript.ts"
import { Warning } from "./Warning.ts"

const instant = Schema.DateTimeUtcFromMillis

/** Media that is kept in our media store. */
export const StoredMedia = Schema.Struct({
  key: MediaKey,
  /** The extension, with its dot and in lower case. */
  extension: Schema.String,
  byteLength: Schema.Int
})
export type StoredMedia = typeof StoredMedia.Type

const remote = { id: JobId, url: Schema.String }
/** The recognised pieces; missing if there are none. */
const piecesField = { pieces: Schema.optionalKey(PieceProgress) }
const stored = { id: JobId, media: StoredMedia, ...piecesField }

/** Details of how a transcript was produced. */
const madeFields = {
  /** Whether the engine received the keywords. Missing if there were none. */
  areKeywordsUsed: Schema.optionalKey(Schema.Boolean),
  /** Whether the engine received the number of speakers. Missing if the number was unknown. */
  isSpeakerCountUsed: Schema.optionalKey(Schema.Boolean),
  /** Number of speakers in the transcript. */
  speakerCount: Schema.optionalKey(Schema.Int),
  /** The parts of the recording that were not transcribed. Missing if there are none. */
  warnings: Schema.optionalKey(Schema.Array(Warning))
}

/** The states of a transcription. */
export const State = Schema.TaggedUnion({
  AwaitingMedia: { ...remote, ...Attempt.waitingFields },
  Fetching: { ...remote, ...Attempt.runningFields },
  Queued: { ...stored, ...Attempt.waitingFields },
  Running: { ...stored, ...Attempt.runningFields },
  Transcribed: {
    id: JobId,
    durationMillis: Millis,
    language: Schema.String,
    /** Whether the transcript has no speech. */
    isEmpty: Schema.Boolean,
    /** The names of the engine and the model that produced the text. */
    engine: Schema.String,
    ...madeFields,
    ...piecesField,
    endedAt: instant,
    /** The media, if it is kept; null if it is removed at the end of the transcription. */
    media: Schema.NullOr(StoredMedia)
  },
  Failed: {
    id: JobId,
    during: Schema.Literals(["Fetching", "Running"]),
    failure: Failure,
    endedAt: instant,
    /**
     * The media, if it was stored. It is kept for a few days after a failure, so that the job can
     * be retried.
     */
    media: Schema.optionalKey(StoredMedia),
    ...piecesField
  }
})
export type State = typeof State.Type

/** The events that change the state of a transcription. */
export const Event = Schema.TaggedUnion({
  ...Attempt.events,
  MediaStored: { at: instant, media: StoredMedia },
  /** A piece was recognised and stored. */
  PieceRecognised: { at: instant, ...recognisedFields },
  TranscriptProduced: {
    at: instant,
    durationMillis: Millis,
    language: Schema.String,
    isEmpty: Schema.Boolean,
    engine: Schema.String,
    ...madeFields,
    isMediaKept: Schema.Boolean
  }
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  AwaitingMedia: { MediaStored: "Queued", AttemptStarted: "Fetching" },
  Fetching: {
    MediaStored: "Queued",
    ...Attempt.edgesBackTo("AwaitingMedia"),
    GivenUp: "Failed"
  },
  Queued: { AttemptStarted: "Running" },
  Running: {
    PieceRecognised: "Running",
    TranscriptProduced: "Transcribed",
    ...Attempt.edgesBackTo("Queued"),
    GivenUp: "Failed"
  },
  Transcribed: {},
  Failed: {}
} as const satisfies Machine.Edges<State, Event>

const { AwaitingMedia, Failed, Fetching, Queued, Running, Transcribed } = State.cases

const carryPieces = (pieces: PieceProgress | undefined) => (pieces === undefined ? {} : { pieces })

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Transcription",
  edges,
  moves: {
    AwaitingMedia: {
      MediaStored: ({ id }, { at, media }) => Queued.make({ id, media, attempts: 0, dueAt: at }),
      AttemptStarted: ({ id, url, ...attempt }, { at }) =>
        Fetching.make({ id, url, ...Attempt.begin(attempt, at) })
    },
    Fetching: {
      MediaStored: ({ id }, { at, media }) => Queued.make({ id, media, attempts: 0, dueAt: at }),
      ...Attempt.movesBackTo(({ id, url }: typeof Fetching.Type, waiting) =>
        AwaitingMedia.make({ id, url, ...waiting })
      ),
      GivenUp: ({ id }, { at, failure }) =>
        Failed.make({ id, during: "Fetching", failure, endedAt: at })
    },
    Queued: {
      AttemptStarted: ({ id, media, pieces, ...attempt }, { at }) =>
        Running.make({ id, media, ...carryPieces(pieces), ...Attempt.begin(attempt, at) })
    },
    Running: {
      PieceRecognised: (state, piece) => {
        const pieces = countPiece(state.pieces, piece)
        const isProgress = pieces.most > (state.pieces?.most ?? 0)
        return Running.make({ ...(isProgress ? Attempt.afterProgress(state) : state), pieces })
      },
      TranscriptProduced: ({ id, media, pieces }, { _tag, at, isMediaKept, ...made }) =>
        Transcribed.make({
          id,
          ...made,
          ...carryPieces(pieces),
          endedAt: at,
          media: isMediaKept ? media : null
        }),
      ...Attempt.movesBackTo(({ id, media, pieces }: typeof Running.Type, waiting) =>
        Queued.make({ id, media, ...carryPieces(pieces), ...waiting })
      ),
      GivenUp: ({ id, media, pieces }, { at, failure }) =>
        Failed.make({
          id,
          during: "Running",
          failure,
          endedAt: at,
          media,
          ...carryPieces(pieces)
        })
    },
    Transcribed: {},
    Failed: {}
  }
})
