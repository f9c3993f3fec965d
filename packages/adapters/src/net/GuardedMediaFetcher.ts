/**
 * Implements `MediaFetcher` with the guarded client. Files are requested and stored uncompressed.
 */

import { MediaFetcher, MediaFetcherError, trace } from "@verbatim/core/ports"
import { Effect, Layer, Stream } from "effect"
import * as Guard from "./Guard.ts"
import { type OutboundError, within } from "./OutboundError.ts"
import { contentOf, followRedirects, fileHeaders as headers, mediaFrom } from "./RemoteFile.ts"

const toPortError = ({ reason }: OutboundError): MediaFetcherError =>
  new MediaFetcherError({ reason })

/** Provides a `MediaFetcher` for public hosts, and for the networks that the options allow. */
export const layer = (options: Guard.GuardOptions): Layer.Layer<MediaFetcher> => {
  const guard = Guard.make(options)
  const { checkTimeout, openTimeout } = guard.limits
  return Layer.succeed(MediaFetcher, {
    // The method is GET, because many origins reject HEAD or sign their URLs for GET only.
    check: trace("MediaFetcher.check")(
      (url: string) =>
        Effect.scoped(Effect.map(followRedirects({ url, headers }, guard), mediaFrom)),
      within(checkTimeout),
      Effect.mapError(toPortError)
    ),
    fetch: trace("MediaFetcher.fetch")(
      (url: string) => followRedirects({ url, headers }, guard),
      within(openTimeout),
      Effect.map((answer) => ({
        ...mediaFrom(answer),
        content: Stream.mapError(contentOf(answer, guard.limits), toPortError)
      })),
      Effect.mapError(toPortError)
    )
  })
}
