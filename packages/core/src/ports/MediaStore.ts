/**
 * Port: durable memory of media files, as streams of bytes.
 */
import {
  Context,
  type Duration,
  type Effect,
  type Option,
  Schema,
  type Scope,
  type Stream
} from "effect"
import type { LocalMedia, MediaKey } from "../domain/transcription/MediaKey.ts"

/** What went wrong in a `MediaStore`. */
export class MediaStoreError extends Schema.TaggedError<MediaStoreError>()("MediaStoreError", {
  operation: Schema.String,
  reason: Schema.TaggedUnion({
    Unavailable: { cause: Schema.Defect() },
    Missing: {},
    /** The content went past `byteMax`. Nothing was kept. */
    TooLarge: {}
  })
}) {
  override get message(): string {
    return `${this.operation}: ${this.reason._tag}`
  }
  /** What the driver said, for the log. */
  override get cause(): unknown {
    return this.reason._tag === "Unavailable" ? this.reason.cause : undefined
  }
}

/** Bytes of a content, from the first one up to and without the second one. */
export interface MediaRange {
  readonly key: MediaKey
  readonly from: number
  readonly to: number
}

/** Whether a marker that is already there is replaced. */
export interface MarkerOptions {
  readonly isReplacing: boolean
}

export class MediaStore extends Context.Service<
  MediaStore,
  {
    /**
     * Stores a stream under a key and returns its length in bytes once every byte is durable. A
     * reader sees all of it or nothing; a failure, an interruption or a crash leaves nothing under
     * the key. Memory use does not grow with the content.
     *
     * Storing under a key again replaces the content. Until the new one is complete, and after a
     * failure, an interruption or a crash, the key has the old content or none, never a mixture.
     * Writers of other keys notice nothing; of several writers of one key one wins, whole. One that
     * fails or is interrupted in its very last step may remove what another has just stored.
     */
    readonly put: <E, R>(request: {
      readonly key: MediaKey
      readonly content: Stream.Stream<Uint8Array, E, R>
      readonly byteMax: number
    }) => Effect.Effect<number, MediaStoreError | E, R>
    /** A readable local file with the content, for as long as the scope is open. */
    readonly open: (key: MediaKey) => Effect.Effect<LocalMedia, MediaStoreError, Scope.Scope>
    /**
     * Opens a stretch of the content, for as long as the scope is open; an empty one, when it ends
     * where it begins. `Missing` when there is no content under the key. The stream has these bytes
     * of the content that was there when it was opened, or fails, whatever becomes of the key
     * meanwhile. Nothing else of the content is read, and memory use does not grow with the
     * stretch.
     */
    readonly read: (
      stretch: MediaRange
    ) => Effect.Effect<Stream.Stream<Uint8Array, MediaStoreError>, MediaStoreError, Scope.Scope>
    /** Removes the content. A missing key is no error. */
    readonly remove: (key: MediaKey) => Effect.Effect<void, MediaStoreError>
    /** Keys of content that was stored longer ago than `age`, in no order. */
    readonly olderThan: (age: Duration.Duration) => Stream.Stream<MediaKey, MediaStoreError>
    /** The text by which this store is recognised; none before it was marked. */
    readonly marker: Effect.Effect<Option.Option<string>, MediaStoreError>
    /**
     * Marks the store with a text, durably, and returns the marker that it has then: the first one
     * stays unless it is to be replaced. A reader sees one marker or the other, whole. It is not
     * content: it has no key, is not listed, and stays when all content is removed. Safe to repeat.
     */
    readonly mark: (text: string, options?: MarkerOptions) => Effect.Effect<string, MediaStoreError>
  }
>()("@verbatim/core/ports/MediaStore") {}
