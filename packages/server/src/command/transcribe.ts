/**
 * `verbatim transcribe`: transcribes files with the server's core in this process, using in-memory
 * stores.
 */
import { mkdir, stat, writeFile } from "node:fs/promises"
import { basename, extname, join } from "node:path"
import { SummaryType } from "@verbatim/core/summary"
import {
  extensionOf,
  knownExtensions,
  languages,
  Modifier,
  speakerMax,
  Tracks
} from "@verbatim/core/transcription"
import { fromText, keywordsRule, readKeywords } from "@verbatim/core/workspace"
import { Console, Effect, Fiber, Result, Semaphore } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Configuration } from "../Configuration.ts"
import { explainErrors } from "./explanation.ts"
import { makeSwitch, optional, textFlag } from "./flags.ts"
import type { LocalTranscription, TranscribedFile } from "./localTranscription.ts"
import { jsonFlag, printable, quiet, readConfiguration } from "./operation.ts"
import { misuse, Refusal, refuse } from "./Refusal.ts"
import { liveFlag } from "./terminal/liveText.ts"

const makeVoicesFlag = (name: string, description: string) =>
  optional(
    Flag.Int(name).pipe(
      Flag.filter(
        (count) => count >= 1 && count <= speakerMax,
        () => `from 1 to ${speakerMax}`
      )
    ),
    description
  )

const flags = {
  files: Argument.String("file").pipe(
    Argument.withDescription("Recordings, audio or video"),
    Argument.variadic({ min: 1 })
  ),
  format: Flag.Literals("format", Modifier.literals).pipe(
    Flag.withDescription("Transcript format"),
    Flag.withDefault("paragraph_text")
  ),
  summary: optional(
    Flag.Literals("summary", SummaryType.literals),
    "Also write a summary, if the recording is long enough"
  ),
  speakers: makeSwitch("speakers", "Distinguish speakers"),
  language: optional(Flag.Literals("language", languages), "Spoken language (default: detected)"),
  prompt: textFlag("prompt", "Names and spellings to expect"),
  keywords: optional(
    Flag.String("keywords").pipe(
      Flag.filterMap(
        (text) => readKeywords(fromText(text)),
        () => keywordsRule
      )
    ),
    "Names and terms to expect, separated by commas or as a JSON list"
  ),
  voices: makeVoicesFlag("voices", "Number of voices, if known; implies --speakers"),
  voicesMin: makeVoicesFlag("voices-min", "Minimum number of voices; implies --speakers"),
  voicesMax: makeVoicesFlag("voices-max", "Maximum number of voices; implies --speakers"),
  tracks: Flag.Literals("tracks", Tracks.literals).pipe(
    Flag.withDescription(
      "Audio tracks to transcribe: the default track, all mixed, or each as one speaker"
    ),
    Flag.withDefault("default")
  ),
  keepSilence: makeSwitch("keep-silence", "Do not remove silence before recognition"),
  live: liveFlag,
  output: textFlag("output", "Directory for the transcripts, one file each (default: print them)"),
  json: jsonFlag
}

type FlagValues = Command.Command.Config.Infer<typeof flags>

const parametersOf = (options: FlagValues) => {
  const { keepSilence, keywords, language, prompt, speakers, summary, tracks } = options
  const { voices, voicesMax, voicesMin } = options
  const areCounted = [voices, voicesMin, voicesMax].some((count) => count !== undefined)
  // The client leaves out parameters that are null.
  return {
    disable_diarization: !speakers && !areCounted && tracks !== "speakers",
    tracks,
    vad_filter: !keepSilence,
    language: language ?? null,
    initial_prompt: prompt ?? null,
    keywords: keywords ?? null,
    speakers: voices ?? null,
    speakers_min: voicesMin ?? null,
    speakers_max: voicesMax ?? null,
    summary: summary ?? null
  }
}

/** The usual file extension of each format. */
const extensions: Readonly<Record<Modifier, string>> = {
  paragraph_json: ".json",
  paragraph_text: ".txt",
  plain_json: ".json",
  plain_text: ".txt",
  srt: ".srt",
  vtt: ".vtt",
  word_json: ".json"
}

const textExtensions = new Set(Object.values(extensions))

const hasControl = (name: string): boolean => /\p{Cc}/u.test(name)

const isProse = (format: Modifier): boolean => extensions[format] === ".txt"

const endLine = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`)

/** Writes text to a program that may stop reading early, such as `head`. */
const writeText = (output: NodeJS.WriteStream, text: string) =>
  Effect.callback<void, Refusal>((resume) => {
    output.write(text, (error) => {
      if (!error) return resume(Effect.void)
      // Without this listener, the next error event would crash this process and leave its files
      // behind.
      output.once("error", () => undefined)
      resume(refuse("The output was closed before everything was written."))
    })
  })

/**
 * Describes a transcript as a JSON object. A transcript in a JSON format is nested in the object.
 */
const viewOf = ({ body, path, summary }: TranscribedFile, format: Modifier) => ({
  file: path,
  format,
  transcript: extensions[format] === ".json" ? (JSON.parse(body) as unknown) : body,
  summary: summary ?? null
})

/**
 * Prints a transcript. In a prose format, the summary follows the transcript; in any other format,
 * it goes to standard error.
 */
const print = Effect.fnUntraced(function* (product: TranscribedFile, options: FlagValues) {
  if (options.json) {
    const view = viewOf(product, options.format)
    return yield* writeText(process.stdout, endLine(JSON.stringify(view)))
  }
  if (options.files.length > 1) yield* Console.log(`==> ${printable(product.path)} <==`)
  yield* writeText(process.stdout, endLine(product.body))
  if (product.summary === undefined) return
  const summary = `\n${endLine(product.summary)}`
  yield* writeText(isProse(options.format) ? process.stdout : process.stderr, summary)
})

const stemOf = (path: string): string => basename(path, extname(path))

/** Rejects two recordings with the same name, because one output would overwrite the other. */
const mustDiffer = Effect.fnUntraced(function* ({ files, output }: FlagValues) {
  const twice = files.find((path, index) =>
    files.slice(0, index).some((e) => stemOf(e) === stemOf(path))
  )
  if (output === undefined || twice === undefined) return
  return yield* refuse(`Two files are named ${stemOf(twice)}. Write them to two directories.`)
})

/** Writes a transcript into a directory, under the name of its recording. */
const write = (product: TranscribedFile, directory: string, { format }: FlagValues) =>
  Effect.tryPromise({
    try: async () => {
      const stem = join(directory, stemOf(product.path))
      await mkdir(directory, { recursive: true })
      await writeFile(stem + extensions[format], endLine(product.body))
      if (product.summary !== undefined) {
        await writeFile(`${stem}.summary.txt`, endLine(product.summary))
      }
    },
    catch: () => new Refusal({ sentence: `Cannot write to ${directory}.` })
  })

const deliver = (product: TranscribedFile, options: FlagValues) =>
  options.output === undefined ? print(product, options) : write(product, options.output, options)

/**
 * Explains what is wrong with a recording's name. More extensions are accepted here than by a
 * server.
 */
const problemOf = (name: string): string | undefined => {
  const extension = extensionOf(name)
  if (knownExtensions.includes(extension)) return undefined
  const supported = `Supported: ${knownExtensions.join(", ")}`
  if (extension !== "") return `Unsupported file extension: ${extension}. ${supported}`
  return hasControl(name)
    ? "Its name contains a control character or a line break. Rename it"
    : `Its name has no extension. ${supported}`
}

/**
 * Checks a file before an engine is loaded or downloaded, so that a typo does not waste a minute.
 */
const mustBeRecording = Effect.fnUntraced(function* (path: string) {
  const shown = printable(path)
  const found = yield* Effect.catch(
    Effect.tryPromise(() => stat(path)),
    () =>
      refuse(
        /^https?:/.test(path)
          ? "Only files can be transcribed here. A server transcribes links: " +
              '`verbatim api transcriptions.create --body \'{"url": "…"}\'`.'
          : `There is no file ${shown}.`
      )
  )
  if (!found.isFile()) return yield* refuse(`${shown} is not a file.`)
  const problem = problemOf(basename(path)) ?? (found.size === 0 ? "The file is empty" : undefined)
  if (problem !== undefined) return yield* refuse(`${shown}: ${problem}.`)
})

/**
 * Transcribes all files, with the configured concurrency, and outputs the results in argument
 * order.
 */
const produce = Effect.fnUntraced(function* (
  { isReady, say, transcribe }: LocalTranscription,
  { atOnce, options }: { readonly atOnce: number; readonly options: FlagValues }
) {
  const permits = yield* Semaphore.make(atOnce)
  const parameters = parametersOf(options)
  const showAt = (path: string) => {
    const prefix = options.files.length > 1 ? `${printable(path)}: ` : ""
    return options.live ? (line: string) => say(`${prefix}${line}`) : undefined
  }
  const underway = yield* Effect.forEach(options.files, (path) =>
    mustBeRecording(path).pipe(
      Effect.andThen(transcribe({ path, parameters, format: options.format, show: showAt(path) })),
      permits.withPermit,
      Effect.flatMap((product) => Effect.as(say(product.report), product)),
      Effect.result,
      Effect.forkScoped
    )
  )
  yield* isReady
  const sentences: Array<string> = []
  for (const fiber of underway) {
    const result = yield* Fiber.join(fiber)
    if (result._tag === "Failure") sentences.push(result.failure.sentence)
    else yield* deliver(result.success, options)
  }
  return sentences
})

/**
 * Transcribes the valid files, and returns a sentence for each file that failed. If no file is
 * valid, no engine starts.
 */
const attempt = Effect.fnUntraced(function* (options: FlagValues, settings: Configuration) {
  const judged = yield* Effect.forEach(options.files, (path) =>
    Effect.result(mustBeRecording(path))
  )
  const refused = judged.flatMap((each) => (Result.isFailure(each) ? [each.failure.sentence] : []))
  if (refused.length === options.files.length) return refused
  // Engines are loaded here, because other commands start earlier without them.
  const { openLocalTranscription } = yield* Effect.promise(() => import("./localTranscription.ts"))
  const studio = yield* openLocalTranscription(settings, options.files.length)
  return yield* produce(studio, { options, atOnce: settings.transcribeConcurrency })
}, Effect.scoped)

/** Sets the exit status to 128 plus the number of SIGINT, as shells do. */
const interrupted = Effect.sync(() => {
  process.exitCode = 130
})

export const transcribe = Command.make(
  "transcribe",
  flags,
  Effect.fn(
    function* (options) {
      const settings = yield* readConfiguration
      yield* mustDiffer(options)
      if (options.json && options.output !== undefined) {
        return yield* misuse("Use either --json or --output, not both.")
      }
      if (textExtensions.has(extname(options.output ?? ""))) {
        return yield* misuse("--output names a directory. To write one file, use `>` and its name.")
      }
      const sentences = yield* attempt(options, settings)
      const [first, ...others] = sentences
      if (first === undefined) return
      if (options.files.length === 1) return yield* refuse(first)
      for (const sentence of [first, ...others]) yield* Console.error(sentence)
      return yield* refuse(
        `${sentences.length} of ${options.files.length} files could not be transcribed.`
      )
    },
    quiet,
    Effect.onInterrupt(() => interrupted),
    explainErrors
  )
).pipe(Command.withDescription("Transcribe files on this machine, without a server"))
