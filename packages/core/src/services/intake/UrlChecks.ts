/**
 * Reaches the URL of a request once before its job is accepted, so that a typo is reported at once.
 * A silent host keeps its check for ten seconds: a workspace has so many under way and no more, so
 * that its hosts keep its own requests waiting and nobody else's.
 */

import { Effect, Option, type Scope } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import {
  extensionOf,
  extensionOfRemote,
  fileBytesMax,
  MediaLimits,
  pathOf
} from "../../domain/transcription/MediaType.ts"
import {
  FileTooLarge,
  type Refusal,
  UnsupportedExtension,
  UrlUnreachable,
  UrlUnresolved
} from "../../domain/transcription/TranscriptionRefusal.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { MediaFetcher, type MediaFetcherError } from "../../ports/MediaFetcher.ts"
import * as Quota from "../quota/Quota.ts"
import { waitIdle } from "../quota/Quota.ts"

/** Checks of one workspace under way: with hosts that answer in 0.3 s, a hundred each second. */
const share = 32

/** Checks of all workspaces under way, each with one socket. */
const total = 256

/** A workspace has as many checks under way as it may, and none of them ended in time. */
export class TooManyUrlChecks extends refusal<TooManyUrlChecks>()("TooManyUrlChecks", {
  sentence: "Too many URLs of the workspace are checked at the same time"
}) {}

/** Checks what is behind a URL, for a workspace. */
export type UrlCheck = (asked: {
  readonly url: string
  readonly workspaceId: WorkspaceId
}) => Effect.Effect<void, Refusal | TooManyUrlChecks>

/** The checks of a process. None is under way. */
export const make: Effect.Effect<UrlCheck, never, MediaFetcher | Scope.Scope> = Effect.gen(
  function* () {
    const fetcher = yield* MediaFetcher
    const limits = yield* MediaLimits
    const hold = yield* Quota.makeWithTimeout({
      share,
      total,
      refusal: () => new TooManyUrlChecks()
    })
    return Effect.fnUntraced(function* ({ url, workspaceId }) {
      const remote = yield* Effect.andThen(
        hold(workspaceId),
        waitIdle(Effect.mapError(fetcher.check(url), toRefusal))
      ).pipe(Effect.scoped)
      if (Option.isNone(extensionOfRemote({ ...remote, url }))) {
        return yield* new UnsupportedExtension({ extension: extensionOf(pathOf(url)) })
      }
      if (Option.exists(remote.byteLength, (length) => length > fileBytesMax(limits))) {
        return yield* new FileTooLarge({ maxMegabytes: limits.fileMegabytesMax })
      }
    })
  }
)

const toRefusal = ({ reason }: MediaFetcherError) =>
  reason._tag === "Unresolved"
    ? new UrlUnresolved({ host: reason.host, code: reason.code })
    : new UrlUnreachable()
