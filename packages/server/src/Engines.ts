/**
 * The engines a server can be told to use, by name. A new engine is one row here.
 */

import { availableParallelism } from "node:os"
import {
  ChannelSpeakers,
  FallbackTranscriber,
  SubstituteTranscriber
} from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as OpenAi from "@verbatim/adapters/openai"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import * as Whisper from "@verbatim/adapters/whisper"
import type { Summarizer, Transcriber } from "@verbatim/core/ports"
import { nearest } from "@verbatim/core/schema"
import { worker as workerOf } from "@verbatim/embed/effect"
import { Array, Effect, Layer, Option } from "effect"
import type { SecureRandom } from "effect/crypto"
import type {
  Configuration,
  SummarizerName,
  TranscriberName,
  TranscriberNames
} from "./Configuration.ts"

/** What engines need from the configuration. */
export interface EngineOptions
  extends Pick<
    Configuration,
    "allowNetworks" | "model" | "modelDirectory" | "modelSource" | "transcribeConcurrency"
  > {
  /** Models and unpacked engines live here; it may be deleted at any time. */
  readonly cacheDirectory: string
  readonly openai: Configuration["openai"]
  /** Whether `auto` fetches what is missing; it does unless told otherwise. */
  readonly installs?: boolean
}

type Engine<Port> = (options: EngineOptions) => Layer.Layer<Port, never, SecureRandom.SecureRandom>

const report = (line: string) => Effect.logInfo(line)

/** Models in child processes; together they use the processors once. */
const whisper = (options: EngineOptions, installs: boolean) =>
  Whisper.layer({
    ...options,
    guard: { allowNetworks: options.allowNetworks },
    threads: Math.max(1, Math.floor(availableParallelism() / options.transcribeConcurrency)),
    installs,
    report
  })

/** Speech recognition. `auto` provides an engine itself where there is none. */
const transcribers = {
  auto: (options) =>
    SubstituteTranscriber.layer({
      wanted: whisper(options, options.installs !== false),
      name: options.model,
      substitute: Pocketsphinx.layer({ ...options, installs: options.installs !== false, report })
    }),
  openai: ({ openai }) => OpenAi.transcriber(openai.transcription),
  pocketsphinx: (options) => Pocketsphinx.layer({ ...options, installs: false, report }),
  whisper: (options) => whisper(options, false)
} satisfies Record<TranscriberName, Engine<Transcriber>>

/** Summaries. `auto` is a language model if one is named, else the summarizer that needs none. */
const summarizers = {
  auto: ({ openai }) =>
    openai.summary.isChosen ? OpenAi.summarizer(openai.summary) : LexRank.layer,
  lexrank: () => LexRank.layer,
  openai: ({ openai }) => OpenAi.summarizer(openai.summary)
} satisfies Record<SummarizerName, Engine<Summarizer>>

/** The engines of these names as one: the first one that is ready and accepts the work does it. */
export const transcriber = (
  names: TranscriberNames,
  options: EngineOptions
): ReturnType<Engine<Transcriber>> =>
  FallbackTranscriber.layer(Array.map(names, (name) => transcribers[name](options)))

/** The summarizer of that name. */
export const summarizer = (
  name: SummarizerName,
  options: EngineOptions
): ReturnType<Engine<Summarizer>> => summarizers[name](options)

/** The sentence for a model that is to be used and that no catalogue has; none if all is well. */
export const findUnknownModel = Effect.fnUntraced(function* ({
  model,
  modelDirectory,
  roles,
  transcribers
}: Configuration): Effect.fn.Return<Option.Option<string>> {
  const isUsed = roles.has("worker") && transcribers.some((each) => usesModel.has(each))
  if (!isUsed) return Option.none()
  const catalogue = yield* Whisper.ModelFolder.catalogue(modelDirectory)
  const names = catalogue.filter(Whisper.isSpeech).map(({ name }) => name)
  if (names.includes(model)) return Option.none()
  const meant = nearest(model, names)
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`
  return Option.some(`VERBATIM_MODEL must be one of ${names.join(", ")}.${hint}`)
})

const usesModel: ReadonlySet<TranscriberName> = new Set(["auto", "whisper"])

/** Provides the offline recogniser now, saying what it does. Used by `verbatim engines install`. */
export const install = Pocketsphinx.install

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
