/**
 * Port: reads media from a URL that a caller gave. All media from external hosts is read through
 * this port, which connects only to checked addresses.
 */

import { Context, type Effect, type Option, Schema, type Scope, type Stream } from "effect"
import { describeReason, refusal } from "../domain/schema/Refusal.ts"

/** The reason why a URL could not be read. */
export class MediaFetcherError extends refusal<MediaFetcherError>()("MediaFetcherError", {
  fields: {
    reason: Schema.TaggedUnion({
      /**
       * The host name does not resolve. `code` is the resolver's error code, for example
       * `ENOTFOUND`.
       */
      Unresolved: { host: Schema.String, code: Schema.String },
      /**
       * The URL is malformed, refused, blocked or too slow; or the response has a status other than
       * 2xx, no body (204, a length of 0) or only a part of the file (206). Callers do not see the
       * reason.
       */
      Unreachable: { detail: Schema.String }
    })
  },
  sentence: describeReason
}) {}

/** Facts about the media from the response's headers, which are not trusted. */
export interface RemoteMedia {
  /** The URLs that the request was redirected to, in order; the last one serves the media. */
  readonly hops: ReadonlyArray<string>
  /** The file name in `Content-Disposition`. */
  readonly filename: Option.Option<string>
  /** The content type, in lower case and without parameters. */
  readonly contentType: Option.Option<string>
  readonly byteLength: Option.Option<number>
}

export class MediaFetcher extends Context.Service<
  MediaFetcher,
  {
    /** Connects to the URL and reads only the headers, in at most 10 seconds. */
    readonly check: (url: string) => Effect.Effect<RemoteMedia, MediaFetcherError>
    /**
     * Sends one request. The response is read within the scope, and the stream fails if the
     * transfer stalls or ends early.
     */
    readonly fetch: (
      url: string
    ) => Effect.Effect<
      RemoteMedia & { readonly content: Stream.Stream<Uint8Array, MediaFetcherError> },
      MediaFetcherError,
      Scope.Scope
    >
  }
>()("@verbatim/core/ports/MediaFetcher") {}
