/**
 * Connects to the URL in a request once before the job is accepted, so that a typo is reported
 * immediately. The check of a host that does not respond takes ten seconds. Each workspace can have
 * only a limited number of running checks, so that slow hosts delay only its own requests.
 */

import { Effect, Option } from "effect"
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
  UnsupportedExtension,
  UrlUnreachable,
  UrlUnresolved
} from "../../domain/transcription/TranscriptionRefusal.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { MediaFetcher, type MediaFetcherError } from "../../ports/MediaFetcher.ts"
import * as Quota from "../quota/Quota.ts"
import { waitIdle } from "../quota/Quota.ts"

/**
 * Maximum number of concurrent URL checks per workspace: about a hundred a second if hosts respond
 * within 0.3 s.
 */
const share = 32

/** Maximum number of concurrent URL checks across all workspaces. Each uses one socket. */
const total = 256

/** The workspace has the maximum number of running URL checks, and none of them ended in time. */
export class TooManyUrlChecks extends refusal<TooManyUrlChecks>()("TooManyUrlChecks", {
  sentence: "Too many URLs of the workspace are checked at the same time"
}) {}

/** Creates the URL check of a process, which returns the host's description of the media. */
export const make = Effect.gen(function* () {
  const fetcher = yield* MediaFetcher
  const limits = yield* MediaLimits
  const hold = Quota.makeWithTimeout({
    share,
    total,
    refusal: () => new TooManyUrlChecks()
  })
  return Effect.fnUntraced(function* ({ url, workspaceId }: Checked) {
    const remote = yield* Effect.andThen(
      hold(workspaceId),
      waitIdle(Effect.mapError(fetcher.check(url), toRefusal))
    ).pipe(Effect.scoped)
    if (Option.isNone(extensionOfRemote({ ...remote, url }))) {
      return yield* new UnsupportedExtension({ extension: extensionOf(pathOf(url)) })
    }
    if (Option.exists(remote.byteLength, (length) => length > fileBytesMax(limits))) {
      return yield* new FileTooLarge({ maxMegabytes: limits.maxFileMegabytes })
    }
    return remote
  })
})

/** A URL, and the workspace of the caller that sent it. */
interface Checked {
  readonly url: string
  readonly workspaceId: WorkspaceId
}

/** Connects to a URL and returns the host's description of the media. */
export type UrlCheck = Effect.Success<typeof make>

const toRefusal = ({ reason }: MediaFetcherError) =>
  reason._tag === "Unresolved"
    ? new UrlUnresolved({ host: reason.host, code: reason.code })
    : new UrlUnreachable()
