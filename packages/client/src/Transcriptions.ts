/**
 * Transcription jobs by name: handed in as a file, a stream or a URL, waited for, read, run again.
 */
import type { Client } from "openapi-fetch"
import {
  type CallOptions,
  type CreateOptions,
  dropAbsent,
  settle,
  toInit,
  toRepeatable,
  unwrap
} from "./Calls.ts"
import type { Clock } from "./Clock.ts"
import { makeCorrections } from "./Corrections.ts"
import type { components, paths } from "./Description.ts"
import { type ListenOptions, type LiveEvent, listen } from "./Events.ts"
import { readCursors } from "./Pages.ts"
import { unwrapRemoval } from "./Removal.ts"
import { makeForm, sendsStreams, writeForm } from "./Upload.ts"
import { unfinished, unreadable, unsent } from "./VerbatimError.ts"
import { type WaitOptions, waitFor } from "./Wait.ts"

type Schemas = components["schemas"]

type Job = Schemas["Job"]

/** The fields that a schema names; a misspelled one is a mistake. */
type NamedFields<A> = { [K in keyof A as string extends K ? never : K]: A[K] }

/** Whoever gives a list may keep it from being changed. */
type Given<A> = { readonly [K in keyof A]: A[K] extends infer Field ? Listed<Field> : never }

type Listed<A> = A extends ReadonlyArray<infer Each> ? ReadonlyArray<Each> : A

type Wishes = Given<Omit<NamedFields<Schemas["TranscriptionJson"]>, "url">>

/** Where the recording is. What is not a `File` needs a name, whose extension tells its kind. */
type Source =
  | { readonly url: string; readonly file?: undefined }
  | { readonly file: File; readonly filename?: string | undefined; readonly url?: undefined }
  | {
      readonly file: Blob | ReadableStream<Uint8Array>
      readonly filename: string
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

/** Which jobs. */
export interface JobListOptions extends CallOptions {
  readonly status?: Job["status"] | undefined
  readonly callbackId?: string | undefined
  /** Accepted then or later. */
  readonly createdAfter?: Date | undefined
  /** Accepted before. */
  readonly createdBefore?: Date | undefined
  /** Most jobs of a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** How a status is asked for. */
export interface StatusOptions extends CallOptions {
  /** Seconds, 60 at most, that the server may wait for the status to change before it answers. */
  readonly wait?: number | undefined
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

const isJson = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("application/json") === true

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** The body as it is sent, and its type where the platform cannot tell. */
const writeOrder = async ({
  file,
  filename,
  url,
  ...fields
}: TranscriptionOrder & { filename?: string | undefined }) => {
  if (file === undefined) return { body: { ...fields, url }, headers: {} }
  if (file instanceof Blob) return { body: makeForm(fields, file, filename), headers: {} }
  const name = filename ?? ""
  if (!sendsStreams()) {
    // Such a platform keeps a blob where it likes, also on disk.
    const blob = await new Response(file).blob()
    return { body: makeForm(fields, blob, name), headers: {} }
  }
  const { body, type } = writeForm(fields, file, name)
  return { body, headers: { "content-type": type }, duplex: "half" as const }
}

/** Makes the calls on transcription jobs. */
export const makeTranscriptions = (
  client: Client<paths>,
  { clock, isRepeating }: { readonly clock: Clock; readonly isRepeating: boolean }
) => {
  const at = (id: string) => ({ path: { id } })

  const get = (id: string, { wait, ...options }: StatusOptions = {}): Promise<Job> =>
    unwrap(
      client.GET("/status/{id}", {
        params: { ...at(id), query: dropAbsent({ wait }) },
        ...toInit(options)
      })
    )

  const list = ({
    callbackId,
    createdAfter,
    createdBefore,
    cursor,
    limit,
    status,
    ...options
  }: JobListOptions = {}): Promise<Schemas["JobPage"]> =>
    unwrap(
      client.GET("/transcriptions", {
        params: {
          query: dropAbsent({
            callback_id: callbackId,
            created_after: createdAfter?.toISOString(),
            created_before: createdBefore?.toISOString(),
            cursor,
            limit,
            status
          })
        },
        ...toInit(options)
      })
    )

  return {
    /** Has a file, a stream or what a URL leads to transcribed. */
    create: async (order: TranscriptionOrder, options: CreateOptions = {}): Promise<Job> => {
      const { body, headers, ...more } = await writeOrder(order)
      const init = toRepeatable(options, isRepeating)
      return unwrap(
        client.POST("/transcribe", {
          ...init,
          ...more,
          headers: { ...init.headers, ...headers },
          // A form is a body of the description as well, written already.
          body: body as Schemas["TranscriptionJson"]
        })
      )
    },

    /** Reads the status of a job, with its transcript when it is there. */
    get,

    /** Reads a job with all that is known of it: its file, its engine, its dates. */
    details: (id: string, options?: CallOptions): Promise<Schemas["JobDetails"]> =>
      unwrap(client.GET("/transcriptions/{id}", { params: at(id), ...toInit(options) })),

    /** Reads the recording, or a stretch of it, while it is kept. */
    media: async (
      id: string,
      { from, headers, to, ...options }: MediaOptions = {}
    ): Promise<Blob> =>
      unwrap(
        client.GET("/transcriptions/{id}/media", {
          params: at(id),
          parseAs: "blob",
          ...toInit({ ...options, headers: { ...headers, ...toRange({ from, to }) } })
        })
      ),

    /** Reads how loud the recording is over its time, once there is a transcript. */
    peaks: (id: string, options?: CallOptions): Promise<Schemas["Peaks"]> =>
      unwrap(client.GET("/transcriptions/{id}/peaks", { params: at(id), ...toInit(options) })),

    /** Reads a transcript in a form. Rejects with `unfinished` while there is none. */
    result: async <Form extends keyof Renderings>(
      id: string,
      modifier: Form,
      options?: CallOptions
    ): Promise<Renderings[Form]> => {
      const { data, response } = await settle(
        client.GET("/status/{id}/{modifier}", {
          params: { path: { id, modifier } },
          parseAs: "text",
          ...toInit(options)
        })
      )
      const body = isJson(response) ? parse(data) : data
      if (typeof body === "object" && body !== null && "transcription_status" in body) {
        throw unfinished(response, body)
      }
      return body as Renderings[Form]
    },

    /** Waits until transcription and summary have ended, and gives the job, also a failed one. */
    wait: (id: string, options: WaitOptions & CallOptions = {}): Promise<Job> =>
      waitFor(() => get(id, options), { clock, options }),

    /** Reads a page of jobs, newest first. */
    list,

    /** All jobs, newest first, without their transcripts. */
    all: (options: Omit<JobListOptions, "cursor"> = {}) =>
      readCursors((cursor) => list({ ...options, cursor })),

    /** Deletes a job with all that is kept of it; one under way is cancelled. */
    remove: async (id: string, options?: CallOptions): Promise<void> => {
      const init = { params: at(id), ...toInit(options) }
      await unwrapRemoval(client.DELETE("/transcriptions/{id}", init))
    },

    /** Delivers the webhook once more. */
    redeliver: (id: string, options?: CallOptions): Promise<Job> =>
      unwrap(client.POST("/transcriptions/{id}/webhook", { params: at(id), ...toInit(options) })),

    /** Runs a failed job again, under the same id. */
    retry: (id: string, options?: CallOptions): Promise<Job> =>
      unwrap(client.POST("/transcriptions/{id}/retry", { params: at(id), ...toInit(options) })),

    /** Corrections of transcripts, with their versions. */
    corrections: makeCorrections(client, isRepeating),

    /** Listens to a job: everything that happened to it, and what happens, until its end. */
    events: (
      id: string,
      options: ListenOptions & CallOptions = {}
    ): AsyncGenerator<LiveEvent, void, undefined> =>
      listen(
        async (after) => {
          const { response } = await settle(
            client.GET("/transcriptions/{id}/events", {
              params: { ...at(id), query: dropAbsent({ last_event_id: after }) },
              parseAs: "stream",
              ...toInit(options)
            })
          )
          return response
        },
        { clock, options }
      ),

    /** Listens to all jobs, from now on or from a place on. */
    allEvents: (
      options: ListenOptions & CallOptions = {}
    ): AsyncGenerator<LiveEvent, void, undefined> =>
      listen(
        async (after) => {
          const { response } = await settle(
            client.GET("/transcriptions/events", {
              params: { query: dropAbsent({ last_event_id: after }) },
              parseAs: "stream",
              ...toInit(options)
            })
          )
          return response
        },
        { clock, options }
      ),

    /** Reads what happened to a job. */
    history: (id: string, options?: CallOptions): Promise<Schemas["JobHistory"]> =>
      unwrap(client.GET("/transcriptions/{id}/history", { params: at(id), ...toInit(options) }))
  }
}
