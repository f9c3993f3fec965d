/**
 * The wiring diagram: which adapter stands behind which port, in a process with a given
 * configuration.
 */
import { ChannelSpeakers } from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as Net from "@verbatim/adapters/net"
import { MediaIdentity } from "@verbatim/core/services"
import { settings, worker as workerOf } from "@verbatim/embed/effect"
import { platform } from "@verbatim/embed/platform"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import { summarizer, transcriber } from "./Engines.ts"
import * as Media from "./Media.ts"
import * as Stores from "./Stores.ts"
import * as Templates from "./Templates.ts"

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
        settings(configuration),
        Templates.layer(configuration)
      )
    )
  )

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

/** The work itself, with given engines. */
export const work = ({ transcribeConcurrency: count }: Configuration) =>
  workerOf({ concurrency: { Transcribe: count, Summarize: count } })

/** The work itself, with the engines of the configuration. */
export const worker = (
  configuration: Configuration,
  recognition?: ReturnType<typeof transcriber>
) => Layer.provideMerge(work(configuration), engines(configuration, recognition))
