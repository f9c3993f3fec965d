/**
 * All services that callers use, built on the ports. Settings such as `MediaLimits` are context
 * references with defaults. A host that provides a different value to this layer changes the
 * setting for all services.
 */
import { Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { RateLimiter } from "effect/persistence"
import type { CorrectionStore } from "../ports/CorrectionStore.ts"
import type { JobStore } from "../ports/JobStore.ts"
import type { MediaFetcher } from "../ports/MediaFetcher.ts"
import type { MediaStore } from "../ports/MediaStore.ts"
import type { OperatorKeyStore } from "../ports/OperatorKeyStore.ts"
import type { PresetStore } from "../ports/PresetStore.ts"
import type { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { Corrections } from "./corrections/Corrections.ts"
import { EventStreams } from "./events/EventStreams.ts"
import { JobFeeds } from "./events/JobFeeds.ts"
import { SpeechCalls } from "./intake/SpeechCalls.ts"
import { Submissions } from "./intake/Submissions.ts"
import { Uploads } from "./intake/Uploads.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { Presets } from "./presets/Presets.ts"
import { MediaIdentity } from "./tasks/MediaIdentity.ts"
import { Transcripts } from "./tasks/Transcripts.ts"
import { ApiKeys, LastUsedTracker } from "./workspaces/ApiKeys.ts"
import { OperatorKeys } from "./workspaces/OperatorKeys.ts"
import { RequestLimits } from "./workspaces/RequestLimits.ts"
import { Usage } from "./workspaces/Usage.ts"
import { Workspaces } from "./workspaces/Workspaces.ts"

/** The services. `MediaIdentity` reports the health of the media store. */
export type Services =
  | ApiKeys
  | Corrections
  | EventStreams
  | JobFeeds
  | Jobs
  | LastUsedTracker
  | MediaIdentity
  | OperatorKeys
  | Presets
  | RequestLimits
  | SpeechCalls
  | Submissions
  | Transcripts
  | Uploads
  | Usage
  | Workspaces

/** The ports that the services need. */
export type Ports =
  | CorrectionStore
  | Digest.Digest
  | JobStore
  | MediaFetcher
  | MediaStore
  | OperatorKeyStore
  | PresetStore
  | RateLimiter.RateLimiterStore
  | SecureRandom.SecureRandom
  | WorkspaceStore

export const layer: Layer.Layer<Services, never, Ports> = SpeechCalls.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Corrections.layer,
      EventStreams.layer,
      Jobs.layer,
      Presets.layer,
      Submissions.layer
    )
  ),
  Layer.provideMerge(
    Layer.mergeAll(
      ApiKeys.layer,
      JobFeeds.layer,
      LastUsedTracker.layer,
      OperatorKeys.layer,
      RequestLimits.layer,
      Transcripts.layer,
      Uploads.layer,
      Usage.layer,
      Workspaces.layer
    )
  ),
  Layer.provideMerge(MediaIdentity.layer)
)
