/** Port: stores media files, as streams of bytes. */
import {
  Context,
  type Duration,
  type Effect,
  type Option,
  Schema,
  type Scope,
  type Stream
} from "effect"
import { describeStoreFailure, refusal } from "../domain/schema/Refusal.ts"
import type { LocalMedia, MediaKey } from "../domain/transcription/MediaKey.ts"

/** A failure of a `MediaStore`. */
export class MediaStoreError extends refusal<MediaStoreError>()("MediaStoreError", {
  fields: {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      Unavailable: { cause: Schema.Defect() },
      Missing: {},
      /** The content is longer than `byteMax`. Nothing was stored. */
      TooLarge: {}
    })
  },
  sentence: describeStoreFailure
}) {}

/** A range of bytes in a stored file, from `from` up to, but not including, `to`. */
export interface MediaRange {
  readonly key: MediaKey
  readonly from: number
  readonly to: number
}

/** Options for `MediaStore.mark`. */
export interface MarkerOptions {
  readonly isReplacing: boolean
}

export class MediaStore extends Context.Service<
  MediaStore,
  {
    /**
     * Stores a stream under a key and returns its length in bytes once every byte is durable. A
     * reader sees all of the content or nothing; a failure, an interruption or a crash leaves
     * nothing under the key. Memory use does not depend on the length of the content.
     *
     * Storing content under the same key again replaces the earlier content. Until the new content
     * is complete, and after a failure, an interruption or a crash, the key has the old content or
     * none, never a mixture. Writers to other keys are not affected; of several writers to one key,
     * one wins completely. A writer that fails or is interrupted at its very last step may remove
     * content that another writer has just stored.
     */
    readonly put: <E, R>(request: {
      readonly key: MediaKey
      readonly content: Stream.Stream<Uint8Array, E, R>
      readonly byteMax: number
    }) => Effect.Effect<number, MediaStoreError | E, R>
    /** Provides the content as a local file that can be read until the scope closes. */
    readonly open: (key: MediaKey) => Effect.Effect<LocalMedia, MediaStoreError, Scope.Scope>
    /**
     * Opens a range of the content until the scope closes; an empty range yields an empty stream.
     * Fails with `Missing` if there is no content under the key. The stream yields the bytes of the
     * content that existed when it was opened, or fails, whatever happens to the key later. Only
     * the range is read, and memory use does not grow with its length.
     */
    readonly read: (
      range: MediaRange
    ) => Effect.Effect<Stream.Stream<Uint8Array, MediaStoreError>, MediaStoreError, Scope.Scope>
    /** Removes the content under a key. A missing key is not an error. */
    readonly remove: (key: MediaKey) => Effect.Effect<void, MediaStoreError>
    /** The keys of all content that is older than `age`, in no particular order. */
    readonly olderThan: (age: Duration.Duration) => Stream.Stream<MediaKey, MediaStoreError>
    /** The marker that identifies this store; none until the store is marked. */
    readonly marker: Effect.Effect<Option.Option<string>, MediaStoreError>
    /**
     * Marks the store durably, and returns the marker that the store then has. The first marker is
     * kept unless a replacement is requested. A reader sees one complete marker, either the old or
     * the new one. The marker is not content: it has no key, is not listed, and stays when all
     * content is removed. The call is safe to retry.
     */
    readonly mark: (text: string, options?: MarkerOptions) => Effect.Effect<string, MediaStoreError>
  }
>()("@verbatim/core/ports/MediaStore") {}
