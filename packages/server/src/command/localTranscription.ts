/**
 * Transcribes files for `verbatim transcribe`: jobs, a worker and engines in this process, with
 * stores in memory and a temporary media folder. A progress bar shows the state.
 */

import { tmpdir } from "node:os"
import { basename } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { ObservedTranscriber } from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import { isFinished, type JobHistory, type JobView } from "@verbatim/core/job"
import { Transcriber } from "@verbatim/core/ports"
import { EventStreams, Jobs, Services, Submissions, Workspaces } from "@verbatim/core/services"
import { type Modifier, withAcceptedExtension } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect, Fiber, FileSystem, Layer, Option, Schedule, Stream } from "effect"
import { adapters } from "../adapters.ts"
import type { Configuration } from "../Configuration.ts"
import { transcriber, worker } from "../Engines.ts"
import { printable } from "./operation.ts"
import { Refusal } from "./Refusal.ts"
import { toLines } from "./terminal/liveText.ts"
import * as ProgressBar from "./terminal/ProgressBar.ts"

/** Parameters of the creation request, by their names on the wire. */
export type Parameters = Readonly<Record<string, ReadonlyArray<string> | boolean | number | string>>

/** A transcribed file. */
export interface TranscribedFile {
  readonly path: string
  readonly body: string
  /** Undefined if no summary was requested or made; the report then says why. */
  readonly summary: string | undefined
  /** One line about the result, and one for each warning. */
  readonly report: string
}

type ShowLine = (line: string) => Effect.Effect<void>

/** A file to transcribe, and how. */
export interface FileRequest {
  readonly path: string
  readonly format: Modifier
  readonly parameters: Parameters
  /** Shows lines of text while the file is recognised. */
  readonly show?: ShowLine | undefined
}

/** Transcribes files in this process. */
export interface LocalTranscription {
  /** Shows a line to the waiting user. */
  readonly say: (line: string) => Effect.Effect<void>
  /** Waits until the engine is ready. Files are accepted earlier. */
  readonly isReady: Effect.Effect<void, Refusal>
  /** Transcribes one file. The sentence of a refusal names the file. */
  readonly transcribe: (order: FileRequest) => Effect.Effect<TranscribedFile, Refusal>
}

/** 100 GB: the user's own disk is the limit. */
const maxFileMegabytes = 100_000

/** The pause between two reads of a job, which is in memory. */
const pollInterval = Duration.millis(20)

/** The pause between two checks whether the engine is ready. */
const readyInterval = Duration.millis(250)

/** Waits until the engine is ready, and reports once what it waits for. */
const waitUntilReady = Effect.fnUntraced(function* (say: LocalTranscription["say"]) {
  const { readiness } = yield* Transcriber
  let isSaid = false
  for (;;) {
    const now = yield* readiness
    if (now._tag === "Ready") return
    if (now._tag === "Unavailable") return yield* new Refusal({ sentence: now.sentence })
    if (!isSaid) yield* say(now.sentence)
    isSaid = true
    yield* Effect.sleep(readyInterval)
  }
})

const seconds = (value: string | undefined): string => `${Number(value ?? 0).toFixed(1)} s`

/**
 * One line with the recording's length, the time taken, and the requests that were not supported.
 */
const describeOutcome = (
  path: string,
  outcome: { view: JobView; took: Duration.Duration }
): string => {
  const { keywords_used, output, speakers_used, summary_status: summary } = outcome.view
  const took = (Duration.toMillis(outcome.took) / 1_000).toFixed(1)
  const facts = [
    `${path}: ${seconds(output?.duration)} of audio in ${took} s`,
    `language ${output?.language ?? "unknown"}`,
    ...(summary === undefined || summary === "COMPLETED" ? [] : [`summary ${summary}`]),
    ...(keywords_used === false ? ["the engine does not support keywords"] : []),
    ...(speakers_used === false ? ["the engine does not support a number of voices"] : [])
  ]
  return facts.join(", ")
}

/** One line for each warning of the transcript. */
const listWarnings = ({ events }: JobHistory, path: string): ReadonlyArray<string> =>
  events.flatMap(({ warnings = [] }) => warnings.map(({ message }) => `${path}: ${message}.`))

const makeRefusal = (path: string, why: string) =>
  new Refusal({ sentence: `${printable(path)}: ${why}.` })

/** Says where to find a model for a language that the engine does not support. */
const withAdvice = (error: string): string =>
  error.startsWith("The speech engine does not support: ")
    ? `${error}. \`verbatim engines list\` shows a model for each language`
    : error

/** Turns an error of the services into a refusal that names the file. */
const toRefusal =
  (path: string) =>
  (error: { readonly message: string }): Refusal =>
    makeRefusal(path, error.message.replace(/\.$/, ""))

const make = Effect.fnUntraced(function* (parts: {
  readonly progress: ProgressTotal
  readonly say: LocalTranscription["say"]
  readonly engine: ReturnType<typeof transcriber>
  readonly settings: Configuration
}) {
  const { engine, progress, say, settings } = parts
  const principal: Principal = yield* Effect.orDie(findPrincipal)
  const jobs = yield* Jobs
  const streams = yield* EventStreams
  const submissions = yield* Submissions
  // The worker starts during the first submission: engines start slowly, and the worker finds the
  // job when it begins.
  const working = yield* Layer.build(worker(settings, engine)).pipe(
    Effect.flatMap((context) => Effect.provide(waitUntilReady(say), context)),
    Effect.forkScoped
  )
  const finished = (id: string) =>
    jobs
      .status(principal, id)
      .pipe(Effect.repeat({ schedule: Schedule.spaced(pollInterval), until: isFinished }))

  const attempt = Effect.fnUntraced(function* ({ format, parameters, path, show }: FileRequest) {
    const { id } = yield* submitFile(principal, { path, parameters })
    const showing =
      show === undefined ? undefined : yield* Effect.forkChild(showText(principal, { id, show }))
    const [took, view] = yield* Effect.timed(finished(id))
    if (showing !== undefined) yield* Fiber.join(showing)
    if (view.error !== undefined) return yield* makeRefusal(path, withAdvice(view.error))
    const rendered = yield* jobs.result(principal, { id, modifier: format })
    const body = rendered._tag === "Rendering" ? rendered.rendering.body : ""
    const shown = printable(path)
    const warnings = listWarnings(yield* jobs.history(principal, id), shown)
    const report = [describeOutcome(shown, { view, took }), ...warnings].join("\n")
    return { path, body, summary: view.summary, report }
  })

  const studio: LocalTranscription = {
    say,
    isReady: Fiber.join(working),
    transcribe: (order) =>
      attempt(order).pipe(
        Effect.mapError((error) =>
          error instanceof Refusal ? error : toRefusal(order.path)(error)
        ),
        Effect.provideService(EventStreams, streams),
        Effect.provideService(Jobs, jobs),
        Effect.provideService(Submissions, submissions),
        Effect.ensuring(Effect.sync(() => progress.end()))
      )
  }
  return studio
})

/** Shows the text of a job while it is recognised, until the job ends. */
const showText = Effect.fnUntraced(function* (
  principal: Principal,
  { id, show }: { readonly id: string; readonly show: ShowLine }
) {
  const streams = yield* EventStreams
  const messages = yield* streams.followJob(principal, { id })
  if (Option.isNone(messages)) return
  yield* Stream.runForEach(messages.value, (message) =>
    message.event === "event"
      ? Effect.forEach(toLines(message.data.segments ?? []), show, { discard: true })
      : Effect.void
  )
}, Effect.scoped)

/** Makes a temporary folder that is removed with the scope. */
const folder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-media-" })
}).pipe(Effect.provide(NodeFileSystem.layer))

/** Prepares the transcription of a given number of files, with the configured engines. */
export const openLocalTranscription = Effect.fnUntraced(function* (
  configuration: Configuration,
  total: number
) {
  if ((yield* Ffmpeg.find())._tag === "Missing") {
    const sentence = "ffmpeg is missing: install it or the package @ffmpeg/core."
    return yield* new Refusal({ sentence })
  }
  const progress = new ProgressTotal(total)
  const settings: Configuration = {
    ...configuration,
    database: { _tag: "Memory" },
    mediaDirectory: yield* folder,
    workDirectory: tmpdir(),
    maxFileMegabytes,
    // One file can use all processors, while a server keeps some for later jobs.
    transcribeConcurrency: Math.min(configuration.transcribeConcurrency, total)
  }
  const bar = yield* ProgressBar.make(
    Effect.sync(() => ({
      fraction: progress.fraction,
      label: total === 1 ? "recognising" : `recognising ${total} files, ${progress.ended} done`
    }))
  )
  const engine = ObservedTranscriber.layer(transcriber(settings.transcribers, settings), progress)
  const services = yield* Layer.build(Layer.provideMerge(Services.layer, adapters(settings)))
  return yield* Effect.provideContext(make({ progress, say: bar.say, engine, settings }), services)
})

/** A year's worth of minutes: local transcription is never charged. */
const localMinutes = 525_600

/** Creates the first workspace and returns its owner. */
const findPrincipal = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: localMinutes })
  const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (first === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = first.workspace
  return { kind: "management" as const, workspaceId: id, userId: firstUserId }
})

/** Submits a file, which is streamed into the media store. */
const submitFile = Effect.fnUntraced(function* (
  principal: Principal,
  { parameters, path }: { readonly path: string; readonly parameters: Parameters }
) {
  const submissions = yield* Submissions
  const fs = yield* FileSystem.FileSystem
  const file = {
    _tag: "File" as const,
    name: "file",
    filename: withAcceptedExtension(basename(path)),
    content: fs.stream(path)
  }
  const given = Object.entries(parameters).map(([name, value]) => ({
    _tag: "Parameter" as const,
    name,
    value
  }))
  return yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromIterable([...given, file])
  })
}, Effect.provide(NodeFileSystem.layer))

/** Sums up the progress of several recordings. */
export class ProgressTotal {
  private readonly running = new Map<object, number>()
  private done = 0
  private readonly total: number

  constructor(total: number) {
    this.total = total
  }

  /** Number of recordings that have ended, successfully or not. */
  get ended(): number {
    return this.done
  }

  /** Counts one more ended recording. */
  end(): void {
    this.done += 1
  }

  /** Total progress from 0 to 1; undefined until an engine has reported any. */
  get fraction(): number | undefined {
    if (this.running.size === 0 && this.done === 0) return undefined
    const partly = Array.from(this.running.values()).reduce((sum, each) => sum + each, 0)
    return (this.done + partly) / this.total
  }

  /** Records the progress of one recording. */
  note(recording: object, fraction: number): void {
    this.running.set(recording, fraction)
  }

  /** Stops counting the partial progress of a recording. */
  forget(recording: object): void {
    this.running.delete(recording)
  }
}
