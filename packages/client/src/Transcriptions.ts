/**
 * Transcription calls that need more than one plain request: uploads, waits, events and results,
 * and the OpenAI-compatible call.
 */
import type { Client } from "openapi-fetch"
import {
  type CallOptions,
  type CreateOptions,
  readText,
  settle,
  toInit,
  toRepeatable
} from "./Calls.ts"
import { type EventOptions, type LiveEvent, type LiveText, streamEvents } from "./Events.ts"
import type { components, paths } from "./generated/Description.ts"
import type { Operations } from "./generated/Operations.ts"
import type { Body, NamedFields } from "./OperationTypes.ts"
import type { Clock } from "./Retry.ts"
import { fileAt, makeForm, sendsStreams, writeForm } from "./Upload.ts"
import { unfinished, unsent, VerbatimError } from "./VerbatimError.ts"

type Schemas = components["schemas"]

type Job = Schemas["Job"]

type JobParameters = Readonly<Omit<NamedFields<Body<"transcriptions.create">>, "url">>

/**
 * The source of the recording. A `Blob` or a stream needs a `filename` with the right extension.
 */
type Source =
  | { readonly url: string; readonly file?: undefined; readonly path?: undefined }
  /** The path of a local file, on Node, Bun and Deno only. */
  | { readonly path: string; readonly file?: undefined; readonly url?: undefined }
  | {
      readonly file: File
      readonly filename?: string | undefined
      readonly path?: undefined
      readonly url?: undefined
    }
  | {
      readonly file: Blob | ReadableStream<Uint8Array>
      readonly filename: string
      readonly path?: undefined
      readonly url?: undefined
    }

/** The recording and the other parameters of a job. */
export type TranscriptionRequest = JobParameters & Source

/** The result types of the renderings, by modifier. */
export interface Renderings {
  readonly paragraph_json: Schemas["ParagraphJson"]
  readonly plain_json: Schemas["PlainJson"]
  readonly word_json: Schemas["WordJson"]
  readonly paragraph_text: string
  readonly plain_text: string
  readonly srt: string
  readonly vtt: string
}

/** The range of a recording to read. Default: the whole recording. */
export interface MediaOptions extends CallOptions {
  /** The index of the first byte. Default: 0. */
  readonly from?: number | undefined
  /** The index after the last byte. Default: the end of the recording. */
  readonly to?: number | undefined
}

/** Returns the `Range` header. Such a header cannot express an empty range. */
const toRange = ({ from, to }: MediaOptions): Record<string, string> => {
  if (from === undefined && to === undefined) return {}
  const [first, end] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER]
  const isRight = Number.isSafeInteger(first) && Number.isSafeInteger(end)
  if (!isRight || first < 0 || end <= first) {
    throw unsent("`from` must be a whole number of bytes, and `to` one above it")
  }
  return { range: `bytes=${first}-${to === undefined ? "" : to - 1}` }
}

/** Returns the request body, and its content type if the platform cannot set it. */
const writeRequest = async ({
  file: given,
  filename,
  path,
  url,
  ...fields
}: TranscriptionRequest & { filename?: string | undefined }) => {
  if ([given, path, url].filter((source) => source !== undefined).length !== 1) {
    throw unsent("Pass one of `file`, `path` and `url`")
  }
  if (path !== undefined) {
    const local = await fileAt(path)
    // If the file changes while it is being read, only this upload fails.
    const { open, type } = writeForm(fields, () => local.stream(), filename ?? local.name)
    return { body: open, headers: { "content-type": type }, duplex: "half" as const }
  }
  const file = given
  if (file === undefined) return { body: { ...fields, url }, headers: {} }
  if (file instanceof Blob) return { body: makeForm(fields, file, filename), headers: {} }
  if (!(file instanceof ReadableStream)) {
    throw unsent("`file` must be a File, a Blob or a ReadableStream; use `path` for a local file")
  }
  const name = filename ?? ""
  if (!sendsStreams()) {
    // The platform decides where it keeps a blob, which can be on disk.
    const blob = await new Response(file).blob()
    return { body: makeForm(fields, blob, name), headers: {} }
  }
  const { open, type } = writeForm(fields, () => file, name)
  return { body: open(), headers: { "content-type": type }, duplex: "half" as const }
}

/** Transcription calls that are not in the operation table. */
export interface Transcriptions {
  /**
   * Creates a job from a file, a stream or a URL.
   *
   * @example
   * ```ts
   * const { id } = await client.transcriptions.create({ path: "talk.mp3", language: "en" })
   * ```
   */
  readonly create: (request: TranscriptionRequest, options?: CreateOptions) => Promise<Job>
  /**
   * Reads the recording, or a range of its bytes, while the server keeps it.
   *
   * @example
   * ```ts
   * const recording = await client.transcriptions.media(id)
   * ```
   */
  readonly media: (id: string, options?: MediaOptions) => Promise<Blob>
  /**
   * Reads the transcript in one rendering. Rejects with `unfinished` if the job has not ended.
   *
   * @example
   * ```ts
   * const text = await client.transcriptions.result(id, "plain_text")
   * ```
   */
  readonly result: <Form extends keyof Renderings>(
    id: string,
    modifier: Form,
    options?: CallOptions
  ) => Promise<Renderings[Form]>
  /**
   * Waits until transcript and summary have ended, and returns the job, even if it failed.
   *
   * @example
   * ```ts
   * const { status, summary } = await client.transcriptions.wait(id)
   * ```
   */
  readonly wait: (id: string, options?: WaitOptions & CallOptions) => Promise<Job>
  /**
   * Streams all events of one job.
   *
   * @example
   * ```ts
   * for await (const event of client.transcriptions.events(id)) console.log(event)
   * ```
   */
  readonly events: (id: string, options?: EventOptions & CallOptions) => LiveEvents
  /**
   * Streams the text of a job while it is recognised and, unless the transcription fails, the whole
   * transcript at the end. `segments` replace all text from the start of the first segment onwards.
   *
   * @example
   * ```ts
   * for await (const { segments } of client.transcriptions.text(id)) console.log(segments)
   * ```
   */
  readonly text: (
    id: string,
    options?: Pick<EventOptions, "signal"> & CallOptions
  ) => AsyncGenerator<LiveText, void, undefined>
  /**
   * Streams the events of all jobs, from now on or after a cursor.
   *
   * @example
   * ```ts
   * for await (const event of client.transcriptions.allEvents()) console.log(event)
   * ```
   */
  readonly allEvents: (options?: EventOptions & CallOptions) => LiveEvents
}

type LiveEvents = AsyncGenerator<LiveEvent, void, undefined>

/** The dependencies of the transcription calls. */
interface Parts extends Pick<Operations["transcriptions"], "get"> {
  readonly client: Client<paths>
  readonly clock: Clock
  readonly isRepeating: boolean
}

const makeFileCalls = ({
  client,
  isRepeating
}: Parts): Pick<Transcriptions, "create" | "media" | "result"> => ({
  create: async (request, options = {}) => {
    const { body, headers, ...more } = await writeRequest({ ...request })
    const init = toRepeatable(options, isRepeating)
    const calling = client.POST("/transcribe", {
      ...init,
      ...more,
      headers: { ...init.headers, ...headers },
      // The body can already be serialized, although its type does not say so.
      body: body as Schemas["TranscriptionJson"]
    })
    return (await settle(calling)).data
  },

  media: async (id, { from, headers, to, ...options } = {}) => {
    const calling = client.GET("/transcriptions/{id}/media", {
      params: { path: { id } },
      parseAs: "blob",
      ...toInit({ ...options, headers: { ...headers, ...toRange({ from, to }) } })
    })
    return (await settle(calling)).data
  },

  result: async <Form extends keyof Renderings>(
    id: string,
    modifier: Form,
    options?: CallOptions
  ) => {
    const { data: body, response } = await readText(
      client.GET("/status/{id}/{modifier}", {
        params: { path: { id, modifier } },
        parseAs: "text",
        ...toInit(options)
      })
    )
    if (typeof body === "object" && body !== null && "transcription_status" in body) {
      throw unfinished(response, body)
    }
    return body as Renderings[Form]
  }
})

/** Options of `wait`. */
export interface WaitOptions {
  /**
   * Aborting ends the wait and leaves the job unchanged. Use `AbortSignal.timeout(…)` as a time
   * limit.
   */
  readonly signal?: AbortSignal | undefined
  /** Called with the job after each response, including the last one. */
  readonly onProgress?: ((job: Job) => unknown) | undefined
  /**
   * Milliseconds between the first two responses if nothing changes. The intervals grow after that.
   */
  readonly interval?: number | undefined
}

/**
 * Polling intervals: the first pause and the longest default pause, in milliseconds, and the factor
 * by which pauses grow.
 */
const pace = { first: 1_000, factor: 1.5, max: 15_000 }

const open: ReadonlySet<string> = new Set(["ACCEPTED", "IN_QUEUE", "IN_PROGRESS", "PENDING"])

/**
 * Whether transcript and summary have ended. Webhooks do not count, because they can take minutes.
 */
const hasEnded = ({ summary_status = "", transcription_status }: Job): boolean =>
  !open.has(transcription_status) && !open.has(summary_status)

/** The longest time that the server waits for a change, in seconds. */
const waitMax = 60

const statesOf = ({ summary_status, transcription_status }: Job): string =>
  `${transcription_status} ${summary_status}`

/** Reads a job until it has ended, or until the caller aborts. */
const waitFor = async (
  read: (waitSeconds?: number) => Promise<Job>,
  { clock, options }: { readonly clock: Clock; readonly options: WaitOptions }
): Promise<Job> => {
  const { interval = pace.first, onProgress, signal } = options
  if (!(interval > 0)) throw unsent("`interval` must be a number of milliseconds above 0")
  const longest = Math.max(interval, pace.max)
  /**
   * If the server has too many waiting requests, the client sends one request that does not wait.
   */
  const readChange = (waitSeconds: number) =>
    read(waitSeconds).catch((error: unknown) => {
      if (error instanceof VerbatimError && error.status === 429) return read()
      throw error
    })
  let job = await read()
  for (let pause = interval; ; pause = Math.min(pause * pace.factor, longest)) {
    await onProgress?.(job)
    if (hasEnded(job)) return job
    const before = job
    const calledAt = clock.nowMillis()
    job = await readChange(Math.min(Math.ceil(pause / 1_000), waitMax))
    const rest = pause - (clock.nowMillis() - calledAt)
    // The pause is needed, because the server may have responded early, or even immediately.
    if (statesOf(job) === statesOf(before) && rest > 0) await clock.sleep(rest, signal)
  }
}

const makeLiveCalls = ({
  client,
  clock,
  get
}: Parts): Pick<Transcriptions, "allEvents" | "events" | "text" | "wait"> => {
  const stream = (
    connect: (query: { last_event_id?: string }) => Parameters<typeof settle<unknown>>[0],
    options: EventOptions
  ) =>
    streamEvents(
      async (after) =>
        (await settle(connect(after === undefined ? {} : { last_event_id: after }))).response,
      { clock, options }
    )

  const events: Transcriptions["events"] = (id, options = {}) =>
    stream(
      (query) =>
        client.GET("/transcriptions/{id}/events", {
          params: { path: { id }, query },
          parseAs: "stream",
          ...toInit(options)
        }),
      options
    )

  return {
    events,

    async *text(id, options = {}) {
      for await (const { data, event } of events(id, options)) {
        if (event !== "event") continue
        const { event: name, segments } = data
        if (segments !== undefined) yield { segments, partial: true }
        if (name !== "transcript_produced") continue
        const { output } = await get(id, options)
        if (output !== undefined) yield { segments: output.list, partial: false }
        return
      }
    },

    wait: (id, options = {}) => {
      const { headers, requestId, signal } = options
      return waitFor((wait) => get(id, { headers, requestId, signal, wait }), { clock, options })
    },

    allEvents: (options = {}) =>
      stream(
        (query) =>
          client.GET("/transcriptions/events", {
            params: { query },
            parseAs: "stream",
            ...toInit(options)
          }),
        options
      )
  }
}

/** Creates a client's transcription calls. */
export const makeTranscriptions = (parts: Parts): Transcriptions => ({
  ...makeFileCalls(parts),
  ...makeLiveCalls(parts)
})

type Form = Schemas["SpeechForm"]

/** A transcription request in OpenAI's format. */
export type SpeechRequest = Readonly<NamedFields<Form>>

/** The response is an object or a string, depending on `response_format`. */
export type SpeechAnswer =
  | Schemas["SpeechJson"]
  | Schemas["SpeechVerboseJson"]
  | Schemas["SpeechDiarizedJson"]
  | string

/** The call of the OpenAI-compatible API that uploads a recording. */
export interface Speech {
  /**
   * Transcribes a recording and waits for the result. With `stream`, all events are returned as a
   * single string.
   *
   * @example
   * ```ts
   * const file = new File(["…"], "talk.mp3")
   * const answer = await client.speech.transcribe({ file, model: "whisper-1" })
   * ```
   */
  readonly transcribe: (request: SpeechRequest, options?: CreateOptions) => Promise<SpeechAnswer>
}

/** Creates the OpenAI-compatible call for a client. */
export const makeSpeech = (given: {
  readonly client: Client<paths>
  readonly isRepeating: boolean
}): Speech => ({
  transcribe: async ({ file, ...fields }, options = {}) => {
    const body = makeForm(fields, file, undefined) as unknown as Form
    const calling = given.client.POST("/audio/transcriptions", {
      ...toRepeatable(options, given.isRepeating),
      body,
      parseAs: "text"
    })
    return (await readText(calling)).data as SpeechAnswer
  }
})
