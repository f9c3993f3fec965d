/**
 * Transcribes files for `verbatim transcribe`. The API runs in this process, with a worker,
 * engines, in-memory stores and a temporary media folder. A progress bar shows the state.
 */

import { openAsBlob } from "node:fs"
import { tmpdir } from "node:os"
import { basename } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import type { Answer, VerbatimClient } from "@verbatim/client"
import { Transcriber } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { type Modifier, withAcceptedExtension } from "@verbatim/core/transcription"
import { Context, Duration, Effect, Fiber, FileSystem, Layer, Option } from "effect"
import type { Configuration } from "../Configuration.ts"
import { transcriber, worker } from "../Engines.ts"
import { Api, call } from "./ApiCalls.ts"
import { over, servicesOf } from "./LocalApi.ts"
import { printable } from "./operation.ts"
import { Refusal, refuse } from "./Refusal.ts"
import { type ShowLine, waitForJob } from "./terminal/liveText.ts"
import * as ProgressBar from "./terminal/ProgressBar.ts"

export type JobParameters = Omit<
  Extract<Parameters<VerbatimClient["transcriptions"]["create"]>[0], { readonly file: File }>,
  "file" | "filename" | "path" | "url"
>

export interface TranscribedFile {
  readonly path: string
  readonly body: string
  /**
   * The text of the summary, or undefined if none was requested or created. `report` gives the
   * reason.
   */
  readonly summary: string | undefined
  /** A line about the result, and one for each warning. */
  readonly report: string
}

/** A file to transcribe, with its options. */
export interface FileRequest {
  readonly path: string
  readonly format: Modifier
  readonly parameters: JobParameters
  /** Shows lines of text while the file is still being recognised. */
  readonly show?: ShowLine | undefined
}

/** Transcribes files in this process. */
export interface LocalTranscription {
  /** Shows a line to the waiting user. */
  readonly say: (line: string) => Effect.Effect<void>
  /** Waits until the engine is ready. Files can be submitted before that. */
  readonly isReady: Effect.Effect<void, Refusal>
  /** Transcribes one file. If the file is refused, the message names it. */
  readonly transcribe: (order: FileRequest) => Effect.Effect<TranscribedFile, Refusal>
}

/**
 * Maximum file size of 100 GB. The files are on the user's own disk, so no real limit is needed.
 */
const maxFileMegabytes = 100_000

/** Wraps a transcriber so that it reports its progress on each recording. */
const withProgress = <R>(
  transcribers: Layer.Layer<Transcriber, never, R>,
  progress: ProgressTotal
): Layer.Layer<Transcriber, never, R> =>
  Layer.effect(
    Transcriber,
    Effect.map(Transcriber, ({ readiness, transcribe }) =>
      Transcriber.of({
        readiness,
        transcribe: (recognition) =>
          transcribe({
            ...recognition,
            onProgress: (fraction) => Effect.sync(() => progress.note(recognition, fraction))
          }).pipe(Effect.ensuring(Effect.sync(() => progress.forget(recognition))))
      })
    )
  ).pipe(Layer.provide(transcribers))

/** Interval between checks whether the engine is ready. */
const readyInterval = Duration.millis(250)

/** Waits until the engine is ready, and says once what it waits for. */
const waitUntilReady = Effect.fnUntraced(function* (say: LocalTranscription["say"]) {
  const { readiness } = yield* Transcriber
  let isSaid = false
  for (;;) {
    const now = yield* readiness
    if (now._tag === "Ready") return
    if (now._tag === "Unavailable") return yield* refuse(now.sentence)
    if (!isSaid) yield* say(now.sentence)
    isSaid = true
    yield* Effect.sleep(readyInterval)
  }
})

const seconds = (value: string | undefined): string => `${Number(value ?? 0).toFixed(1)} s`

type Job = Answer<"transcriptions.get">

/**
 * Describes the result in one line: the length of the recording, the time taken, and unsupported
 * options.
 */
const describeOutcome = (path: string, job: Job, took: Duration.Duration): string => {
  const { keywords_used, output, speakers_used, summary_status: summary } = job
  const facts = [
    `${path}: ${seconds(output?.duration)} of audio in ${Duration.toSeconds(took).toFixed(1)} s`,
    `language ${output?.language ?? "unknown"}`,
    ...(summary === undefined || summary === "COMPLETED" ? [] : [`summary ${summary}`]),
    ...(keywords_used === false ? ["the engine does not support keywords"] : []),
    ...(speakers_used === false ? ["the engine does not support a number of voices"] : [])
  ]
  return facts.join(", ")
}

const makeRefusal = (path: string, why: string) =>
  new Refusal({ sentence: `${printable(path)}: ${why}.` })

/** Adds a suggestion to an error about an unsupported language: where to find a model for it. */
const withAdvice = (error: string): string =>
  error.startsWith("The speech engine does not support: ")
    ? `${error}. \`verbatim engines list\` shows a model for each language`
    : error

/** Names the file in an API error. */
const toRefusal =
  (path: string) =>
  (error: { readonly message: string }): Refusal =>
    error instanceof Refusal ? error : makeRefusal(path, error.message.replace(/\.$/, ""))

/**
 * Submits a file under a name that the API accepts. The file is sent as a stream, because
 * interrupting a form would crash the process.
 */
const submitFile = (path: string, parameters: JobParameters) =>
  call(async ({ transcriptions }, signal) => {
    const file = (await openAsBlob(path)).stream()
    const filename = withAcceptedExtension(basename(path))
    return transcriptions.create({ ...parameters, file, filename }, { signal })
  })

const transcribeFile = Effect.fnUntraced(function* (request: FileRequest) {
  const { format, parameters, path, show } = request
  const { id } = yield* submitFile(path, parameters)
  const [took, job] = yield* Effect.timed(waitForJob(id, show))
  if (job.error !== undefined) return yield* makeRefusal(path, withAdvice(job.error))
  const rendered = yield* call(({ transcriptions }) => transcriptions.result(id, format))
  const { warnings = [] } = yield* call(({ transcriptions }) => transcriptions.details(id))
  const shown = printable(path)
  const report = [
    describeOutcome(shown, job, took),
    ...warnings.map(({ message }) => `${shown}: ${message}.`)
  ].join("\n")
  const body = typeof rendered === "string" ? rendered : JSON.stringify(rendered)
  return { path, body, summary: job.summary, report }
})

/** Creates a temporary folder that is removed when the scope ends. */
const folder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-media-" })
}).pipe(Effect.provide(NodeFileSystem.layer))

/** Prepares to transcribe this many files with the configured engines. */
export const openLocalTranscription = Effect.fnUntraced(function* (
  configuration: Configuration,
  total: number
) {
  if ((yield* Ffmpeg.find())._tag === "Missing") {
    return yield* refuse("ffmpeg is missing: install it or the package @ffmpeg/core.")
  }
  const progress = new ProgressTotal(total)
  const settings: Configuration = {
    ...configuration,
    database: { _tag: "Memory" },
    mediaDirectory: yield* folder,
    workDirectory: tmpdir(),
    maxFileMegabytes,
    // A single file can use all processors here, while a server reserves some for later jobs.
    transcribeConcurrency: Math.min(configuration.transcribeConcurrency, total)
  }
  const bar = yield* ProgressBar.make(
    Effect.sync(() => ({
      fraction: progress.fraction,
      label: total === 1 ? "recognising" : `recognising ${total} files, ${progress.ended} done`
    }))
  )
  const engine = withProgress(transcriber(settings.transcribers, settings), progress)
  const services = yield* Layer.build(servicesOf(settings))
  const api = yield* Effect.provideContext(openApi, services)
  // The worker starts while the first file is submitted, because engines start slowly. When the
  // worker is ready, it finds the job.
  const working = yield* Layer.build(worker(settings, engine)).pipe(
    Effect.flatMap((context) => Effect.provide(waitUntilReady(bar.say), context)),
    Effect.provideContext(services),
    Effect.forkScoped
  )
  const local: LocalTranscription = {
    say: bar.say,
    isReady: Fiber.join(working),
    transcribe: (request) =>
      transcribeFile(request).pipe(
        Effect.mapError(toRefusal(request.path)),
        Effect.provideService(Api, api),
        Effect.ensuring(Effect.sync(() => progress.end()))
      )
  }
  return local
})

/**
 * The local workspace gets enough minutes for a year of speech, because local transcription is
 * free.
 */
const localMinutes = 525_600

/** Creates the only workspace, and opens the API for that workspace. */
const openApi = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* Effect.orDie(workspaces.found({ keys: [], minutes: localMinutes }))
  const layer = over({ key: Option.none(), workspace: undefined })
  return Context.get(yield* Effect.orDie(Layer.build(layer)), Api)
})

/** Combines the progress of several recordings. */
export class ProgressTotal {
  private readonly running = new Map<object, number>()
  private done = 0
  private readonly total: number

  constructor(total: number) {
    this.total = total
  }

  /** Number of recordings that have finished, successfully or not. */
  get ended(): number {
    return this.done
  }

  /** Counts one more finished recording. */
  end(): void {
    this.done += 1
  }

  /** Total progress from 0 to 1, or undefined until an engine reports progress. */
  get fraction(): number | undefined {
    if (this.running.size === 0 && this.done === 0) return undefined
    const partly = Array.from(this.running.values()).reduce((sum, each) => sum + each, 0)
    return (this.done + partly) / this.total
  }

  /** Records the progress of one recording. */
  note(recording: object, fraction: number): void {
    this.running.set(recording, fraction)
  }

  /** Forgets the partial progress of a recording. */
  forget(recording: object): void {
    this.running.delete(recording)
  }
}
