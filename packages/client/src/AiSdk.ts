/**
 * Makes Verbatim a transcription model for the AI SDK's `transcribe`. Each call creates a job,
 * waits for it and reads its result; aborting the call deletes the job. This module imports only
 * types from the SDK.
 */
import type {
  JSONObject,
  SharedV4Warning,
  TranscriptionModelV4,
  TranscriptionModelV4CallOptions,
  TranscriptionModelV4Result
} from "@ai-sdk/provider"
import type { VerbatimClient } from "./Client.ts"
import type { components } from "./generated/Description.ts"
import type { TranscriptionRequest } from "./Transcriptions.ts"
import { VerbatimError } from "./VerbatimError.ts"

type Schemas = components["schemas"]

type Job = Schemas["Job"]

/** The job parameters that a model can set. */
const settings = [
  "language",
  "initial_prompt",
  "keywords",
  "vad_filter",
  "disable_diarization",
  "speakers",
  "speakers_min",
  "speakers_max",
  "template",
  "tracks"
] as const satisfies ReadonlyArray<keyof TranscriptionRequest>

/** Job parameters; each call can override them in `providerOptions.verbatim`. */
export type ModelSettings = Pick<TranscriptionRequest, (typeof settings)[number]>

/** Options of `verbatimModel`. */
export interface ModelOptions extends ModelSettings {
  /** A name for logs. Default: `verbatim`. */
  readonly modelId?: string
  /** Milliseconds between the first two reads of a job. The intervals grow after that. */
  readonly interval?: number
}

type Call = Omit<TranscriptionModelV4CallOptions, "audio" | "mediaType">

type Source = Pick<TranscriptionRequest, "file" | "url"> & { readonly filename?: string }

/**
 * Milliseconds before the second read of a job. The interval is short, because transcribing a short
 * recording usually takes less than a second.
 */
const defaultInterval = 100

/** File extensions for content types whose subtype is not the extension. */
const extensions: ReadonlyMap<string, string> = new Map([
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "m4a"],
  ["audio/x-m4a", "m4a"],
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/vnd.wave", "wav"],
  ["audio/x-flac", "flac"],
  ["audio/x-aac", "aac"],
  ["audio/x-ms-wma", "wma"],
  ["video/quicktime", "mov"],
  ["video/x-msvideo", "avi"],
  ["video/x-matroska", "mkv"],
  ["audio/x-matroska", "mkv"],
  ["video/x-ms-wmv", "wmv"]
])

const extensionOf = (mediaType: string): string => {
  const [plain = ""] = mediaType.toLowerCase().split(";")
  return extensions.get(plain.trim()) ?? plain.trim().split("/").at(-1) ?? ""
}

const decode = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const fileOf = (audio: Uint8Array | string, mediaType: string): Source => {
  const bytes = typeof audio === "string" ? decode(audio) : new Uint8Array(audio)
  const file = new Blob([bytes], { type: mediaType })
  return { file, filename: `audio.${extensionOf(mediaType)}` }
}

/**
 * Creates an error that `APICallError.isInstance` accepts: the SDK recognises its errors by
 * symbols. The error is not retryable, because the client has already retried the call under one
 * idempotency key.
 */
const makeCallError = (message: string, failed: Pick<VerbatimError, "body" | "status">): Error => {
  const name = "AI_APICallError"
  return Object.assign(new Error(message), {
    name,
    [Symbol.for("vercel.ai.error")]: true,
    [Symbol.for(`vercel.ai.error.${name}`)]: true,
    url: "/v1/transcribe",
    requestBodyValues: {},
    isRetryable: false,
    statusCode: failed.status === 0 ? undefined : failed.status,
    responseBody: failed.body === undefined ? undefined : JSON.stringify(failed.body)
  })
}

/** If the server refuses a URL with one of these statuses, the SDK downloads the file itself. */
const urlRefusals: ReadonlySet<number> = new Set([400, 413, 415])

/** Waits for a promise until the signal aborts. */
const abortable = <A>(signal: AbortSignal | undefined, pending: Promise<A>): Promise<A> =>
  signal === undefined
    ? pending
    : new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason)
        if (signal.aborted) stop()
        signal.addEventListener("abort", stop, { once: true })
        pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
      })

/** The settings for one call, and a warning for each unknown option. */
const settingsOf = (options: ModelSettings, call: Call) => {
  const given = Object.entries(call.providerOptions?.verbatim ?? {})
  const isKnown = (name: string) => settings.some((each) => each === name)
  const own = Object.fromEntries(given.filter(([name]) => isKnown(name)))
  const warnings = given
    .filter(([name]) => !isKnown(name))
    .map(([name]): SharedV4Warning => {
      const feature = `providerOptions.verbatim.${name}`
      return { type: "unsupported", feature, details: "Verbatim has no such option." }
    })
  return { wanted: { ...options, ...own } as ModelSettings, warnings }
}

const headersOf = ({ headers = {} }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  )

interface Timed {
  readonly text: string
  readonly start?: string
  readonly end?: string
  readonly speaker?: string
}

const timed = ({ end, start, text }: Timed) => ({
  text,
  startSecond: Number(start ?? 0),
  endSecond: Number(end ?? 0)
})

const estimatedWarning: SharedV4Warning = {
  type: "other",
  message: "The engine gives no word timestamps; they are estimated from the segment's."
}

/** A finished job and the renderings that become the model's result. */
interface Finished {
  readonly job: Job
  readonly words: Schemas["WordJson"]
  readonly plain: Schemas["PlainJson"]
}

const resultOf = ({
  job,
  plain,
  words
}: Finished): Omit<TranscriptionModelV4Result, "response"> => {
  const segments: ReadonlyArray<Timed> = job.output?.list ?? words.list
  const verbatim: JSONObject = {
    jobId: job.id,
    // Segments with speakers are returned separately, because the SDK's segments cannot have
    // speakers.
    segments: segments.map((each) => ({ ...timed(each), speaker: each.speaker ?? null }))
  }
  return {
    text: plain.list.map(({ text }) => text).join(" "),
    segments: segments.map(timed),
    words: words.list.map(timed),
    language: words.language === "und" ? undefined : words.language,
    durationInSeconds: Number(words.duration),
    warnings: words.list.some(({ estimated }) => estimated === true) ? [estimatedWarning] : [],
    providerMetadata: { verbatim }
  }
}

/** Creates the job, and deletes it if the call is aborted. */
const createJob = async (
  { transcriptions }: Pick<VerbatimClient, "transcriptions">,
  { call, order }: { readonly call: Call; readonly order: TranscriptionRequest }
): Promise<Job> => {
  const creating = transcriptions.create(order, { headers: headersOf(call) })
  try {
    return await abortable(call.abortSignal, creating)
  } catch (error) {
    creating.then(({ id }) => transcriptions.remove(id)).catch(() => undefined)
    throw error
  }
}

/** Creates the model: `verbatimModel(createClient({ baseURL, key }))`. */
export const verbatimModel = (
  { transcriptions }: Pick<VerbatimClient, "transcriptions">,
  { interval = defaultInterval, modelId = "verbatim", ...options }: ModelOptions = {}
): TranscriptionModelV4 => {
  const finish = async (id: string, call: Call): Promise<Finished> => {
    const callOptions = { headers: headersOf(call), signal: call.abortSignal }
    const job = await transcriptions.wait(id, { ...callOptions, interval })
    if (job.transcription_status === "FAILED") {
      throw makeCallError(job.error ?? "The transcription failed", { status: 0, body: job })
    }
    const [words, plain] = await Promise.all([
      transcriptions.result(id, "word_json", callOptions),
      transcriptions.result(id, "plain_json", callOptions)
    ])
    return { job, words, plain }
  }

  const transcribe = async (call: Call, source: Source): Promise<TranscriptionModelV4Result> => {
    call.abortSignal?.throwIfAborted()
    const timestamp = new Date()
    const { wanted, warnings } = settingsOf(options, call)
    let id: string | undefined
    try {
      const order = { ...wanted, ...source } as TranscriptionRequest
      ;({ id } = await createJob({ transcriptions }, { call, order }))
      const finished = await finish(id, call)
      const result = resultOf(finished)
      return {
        ...result,
        warnings: [...warnings, ...result.warnings],
        response: { timestamp, modelId, body: finished.job }
      }
    } catch (error) {
      if (call.abortSignal?.aborted === true && id !== undefined) {
        await transcriptions.remove(id).catch(() => undefined)
      }
      throw error instanceof VerbatimError ? makeCallError(error.message, error) : error
    }
  }

  return {
    specificationVersion: "v4",
    provider: "verbatim.transcription",
    modelId,
    doGenerate: ({ audio, mediaType, ...call }) => transcribe(call, fileOf(audio, mediaType)),
    doGenerateFromUrl: ({ audio, ...call }) =>
      transcribe(call, { url: audio.href }).catch((error: unknown) => {
        if (urlRefusals.has(Object(error).statusCode)) return undefined
        throw error
      })
  }
}
