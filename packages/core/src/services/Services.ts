/**
 * All services that callers use, built on the ports. Settings such as `MediaLimits` are context
 * references with defaults. A host that provides another value to this layer changes the setting
 * for all services.
 */
import { Layer } from "effect"
import { Corrections } from "./corrections/Corrections.ts"
import { EventStreams } from "./events/EventStreams.ts"
import { JobFeeds } from "./events/JobFeeds.ts"
import { SpeechCalls } from "./intake/SpeechCalls.ts"
import { Submissions } from "./intake/Submissions.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { Presets } from "./presets/Presets.ts"
import { MediaIdentity } from "./tasks/MediaIdentity.ts"
import { Transcripts } from "./tasks/Transcripts.ts"
import { ApiKeys, LastUsedTracker } from "./workspaces/ApiKeys.ts"
import { OperatorKeys } from "./workspaces/OperatorKeys.ts"
import { RequestLimits } from "./workspaces/RequestLimits.ts"
import { Usage } from "./workspaces/Usage.ts"
import { Workspaces } from "./workspaces/Workspaces.ts"

export const layer = SpeechCalls.layer.pipe(
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
      Usage.layer,
      Workspaces.layer
    )
  ),
  Layer.provideMerge(MediaIdentity.layer)
)

/** The services for callers. `MediaIdentity` reports the health of the media store. */
export type Services = Layer.Success<typeof layer>

/** The ports that the services need. */
export type Ports = Layer.Services<typeof layer>
