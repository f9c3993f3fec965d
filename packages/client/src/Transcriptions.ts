/**
 * Calls on transcription jobs that are more than a request: uploads, waiting, events, results.
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
import { type ListenOptions, type LiveEvent, listen } from "./Events.ts"
import type { components, paths } from "./generated/Description.ts"
import type { Operations } from "./generated/Operations.ts"
import type { Body, NamedFields } from "./OperationTypes.ts"
import type { Clock } from "./Retry.ts"
import { fileAt, makeForm, sendsStreams, writeForm } from "./Upload.ts"
import { unfinished, unsent } from "./VerbatimError.ts"
import { type WaitOptions, waitFor } from "./Wait.ts"

type Schemas = components["schemas"]

type Job = Schemas["Job"]

type Wishes = Readonly<Omit<NamedFields<Body<"transcriptions.create">>, "url">>

/** Where the recording is. What is not a `File` needs a name, whose extension tells its kind. */
type Source =
  | { readonly url: string; readonly file?: undefined; readonly path?: undefined }
  /** A file of this machine: on Node, Bun and Deno. */
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

/** What is to be transcribed, and how. */
export type TranscriptionOrder = Wishes & Source

/** The forms of a transcript, and what each one is. */
export interface Renderings {
  readonly paragraph_json: Schemas["ParagraphJson"]
  readonly plain_json: Schemas["PlainJson"]
  readonly word_json: Schemas["WordJson"]
  readonly paragraph_text: string
  readonly plain_text: string
  readonly srt: string
  readonly vtt: string
}

/** Which bytes of a recording: all of them where it is left out. */
export interface MediaOptions extends CallOptions {
  /** The first one. Default: 0. */
  readonly from?: number | undefined
  /** The first one that is not wanted any more. Default: the end. */
  readonly to?: number | undefined
}

/** The header that asks for a stretch. None can ask for nothing. */
const toRange = ({ from, to }: MediaOptions): Record<string, string> => {
  if (from === undefined && to === undefined) return {}
  const [first, end] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER]
  const isRight = Number.isSafeInteger(first) && Number.isSafeInteger(end)
  if (!isRight || first < 0 || end <= first) {
    throw unsent("`from` must be a whole number of bytes, and `to` one above it")
  }
  return { range: `bytes=${first}-${to === undefined ? "" : to - 1}` }
}

/** The body as it is sent, and its type where the platform cannot tell. */
const writeOrder = async ({
  file: given,
  filename,
  path,
  url,
  ...fields
}: TranscriptionOrder & { filename?: string | undefined }) => {
  if ([given, path, url].filter((source) => source !== undefined).length > 1) {
    throw unsent("Give one of `file`, `path` and `url`")
  }
  if (path !== undefined) {
    const local = await fileAt(path)
    // A file that changes while it is read breaks off a stream, and nothing else.
    const { open, type } = writeForm(fields, () => local.stream(), filename ?? local.name)
    return { body: open, headers: { "content-type": type }, duplex: "half" as const }
  }
  const file = given
  if (file === undefined) return { body: { ...fields, url }, headers: {} }
  if (file instanceof Blob) return { body: makeForm(fields, file, filename), headers: {} }
  if (!(file instanceof ReadableStream)) {
    throw unsent("`file` must be a File, a Blob or a ReadableStream; `path` is one of this machine")
  }
  const name = filename ?? ""
  if (!sendsStreams()) {
    // Such a platform keeps a blob where it likes, also on disk.
    const blob = await new Response(file).blob()
    return { body: makeForm(fields, blob, name), headers: {} }
  }
  const { open, type } = writeForm(fields, () => file, name)
  return { body: open(), headers: { "content-type": type }, duplex: "half" as const }
}

/** The calls on jobs whose bodies are files, or whose answers are no JSON. */
export interface Transcriptions {
  /** Has a file, a stream or what a URL leads to transcribed. */
  readonly create: (order: TranscriptionOrder, options?: CreateOptions) => Promise<Job>
  /** Reads the recording, or a range of its bytes, while it is kept. */
  readonly media: (id: string, options?: MediaOptions) => Promise<Blob>
  /** Reads a transcript in a form. Rejects with `unfinished` while there is none. */
  readonly result: <Form extends keyof Renderings>(
    id: string,
    modifier: Form,
    options?: CallOptions
  ) => Promise<Renderings[Form]>
  /** Waits until transcription and summary have ended, and gives the job, also a failed one. */
  readonly wait: (id: string, options?: WaitOptions & CallOptions) => Promise<Job>
  /** Listens to a job: everything that happened to it, and what happens, until its end. */
  readonly events: (id: string, options?: ListenOptions & CallOptions) => LiveEvents
  /** Listens to all jobs, from now on or from an event on. */
  readonly allEvents: (options?: ListenOptions & CallOptions) => LiveEvents
}

type LiveEvents = AsyncGenerator<LiveEvent, void, undefined>

/** What the calls are made of. */
interface Parts extends Pick<Operations["transcriptions"], "get"> {
  readonly client: Client<paths>
  readonly clock: Clock
  readonly isRepeating: boolean
}

const makeFileCalls = ({
  client,
  isRepeating
}: Parts): Pick<Transcriptions, "create" | "media" | "result"> => ({
  create: async (order, options = {}) => {
    const { body, headers, ...more } = await writeOrder(order)
    const init = toRepeatable(options, isRepeating)
    const calling = client.POST("/transcribe", {
      ...init,
      ...more,
      headers: { ...init.headers, ...headers },
      // A form is a body of the description as well, written already.
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

const makeLiveCalls = ({
  client,
  clock,
  get
}: Parts): Pick<Transcriptions, "allEvents" | "events" | "wait"> => {
  const hear = (
    connect: (query: { last_event_id?: string }) => Parameters<typeof settle<unknown>>[0],
    options: ListenOptions
  ) =>
    listen(
      async (after) =>
        (await settle(connect(after === undefined ? {} : { last_event_id: after }))).response,
      { clock, options }
    )

  return {
    wait: (id, options = {}) => {
      const { headers, requestId, signal } = options
      return waitFor((wait) => get(id, { headers, requestId, signal, wait }), { clock, options })
    },

    events: (id, options = {}) =>
      hear(
        (query) =>
          client.GET("/transcriptions/{id}/events", {
            params: { path: { id }, query },
            parseAs: "stream",
            ...toInit(options)
          }),
        options
      ),

    allEvents: (options = {}) =>
      hear(
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

/** Makes the calls. */
export const makeTranscriptions = (parts: Parts): Transcriptions => ({
  ...makeFileCalls(parts),
  ...makeLiveCalls(parts)
})
