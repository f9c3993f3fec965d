/**
 * The engines of the wiring diagram, and the work that they do, in a process with a given
 * configuration.
 */
import { ChannelSpeakers } from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import { worker as workerOf } from "@verbatim/embed/effect"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import { summarizer, transcriber } from "./Engines.ts"

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
