/**
 * The wiring diagram: which adapter stands behind which port, in a process with a given
 * configuration.
 */
import { hostname } from "node:os"
import { ChannelSpeakers } from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as Net from "@verbatim/adapters/net"
import { MediaRetention } from "@verbatim/core/job"
import { OutboundPolicy } from "@verbatim/core/outbound"
import { Expiries, MediaIdentity, WorkspaceRemoval } from "@verbatim/core/services"
import { MediaLimits } from "@verbatim/core/transcription"
import {
  type Concurrency,
  ExpiryCollection,
  LaneMax,
  MediaCollection,
  Presence,
  Worker,
  WorkspaceCollection
} from "@verbatim/core/worker"
import { DefaultRetention, DefaultSecrets } from "@verbatim/core/workspace"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import { summarizer, transcriber } from "./Engines.ts"
import * as Media from "./Media.ts"
import { platform } from "./Platform.ts"
import * as Stores from "./Stores.ts"
import * as Templates from "./Templates.ts"

/** Every setting that core and the API read as a reference. */
const settings = (configuration: Configuration) =>
  Layer.mergeAll(
    Layer.succeed(MediaLimits, { fileMegabytesMax: configuration.fileMegabytesMax }),
    Layer.succeed(LaneMax, configuration.originConcurrency),
    Layer.succeed(MediaRetention, configuration.mediaRetention),
    Layer.succeed(DefaultRetention, configuration.retention),
    Layer.succeed(DefaultSecrets, configuration.webhookSecrets),
    Layer.succeed(OutboundPolicy, { allowNetworks: configuration.allowNetworks }),
    Templates.layer(configuration)
  )

/**
 * Stores, media, the way out, and the settings. All else stands on this, so that no setting reaches
 * one part of a process and misses another.
 */
export const foundation = (configuration: Configuration) =>
  MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Stores.layer(configuration.database),
        Media.layer(configuration),
        Net.layer({ allowNetworks: configuration.allowNetworks }),
        platform,
        settings(configuration)
      )
    )
  )

const concurrency = (configuration: Configuration): Concurrency => ({
  // Downloads and webhooks spend most of their time waiting. A workspace alone takes half of these
  // places, and one origin four of them, unless the operator wants more. A webhook holds its body
  // meanwhile: 13 MB after ten hours of speech, usually some kilobytes.
  Fetch: 32,
  Deliver: 128,
  Transcribe: configuration.transcribeConcurrency,
  Summarize: configuration.transcribeConcurrency
})

/** The engines and the decoder. A host may watch the transcriber. */
const engines = (
  configuration: Configuration,
  recognition = transcriber(configuration.transcribers, configuration)
) =>
  Layer.mergeAll(
    ChannelSpeakers.over(recognition),
    summarizer(configuration.summarizer, configuration),
    Ffmpeg.layer({ directory: configuration.workDirectory })
  )

/** What this process is called where workers are listed. */
export const workerName = `${hostname()} ${process.pid}`

/** The work itself, with given engines. */
export const work = (configuration: Configuration) => {
  const present = Presence.layer(workerName)
  const working = present.pipe(Layer.provideMerge(Worker.layer(concurrency(configuration))))
  const emptying = Layer.provide(WorkspaceCollection.layer, WorkspaceRemoval.layer)
  const expiring = Layer.provide(ExpiryCollection.layer, Expiries.layer)
  return Layer.mergeAll(working, MediaCollection.layer, emptying, expiring)
}

/** The work itself, with the engines of the configuration. */
export const worker = (
  configuration: Configuration,
  recognition?: ReturnType<typeof transcriber>
) => Layer.provideMerge(work(configuration), engines(configuration, recognition))
