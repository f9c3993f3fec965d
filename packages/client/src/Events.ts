/**
 * Streams live events. A connection that breaks or falls silent is reopened after the last received
 * event, so that no event is lost or repeated.
 */

import type { components } from "./generated/Description.ts"
import type { Clock } from "./Retry.ts"

type Schemas = components["schemas"]

type JobEvent = Schemas["JobHistory"]["events"][number]

/**
 * A segment of recognised text. Its speaker is determined once the whole recording has been
 * recognised.
 */
export type LiveSegment = Readonly<
  Omit<NonNullable<Schemas["JobDetails"]["output"]>["list"][number], "speaker">
> & { readonly speaker?: string }

/**
 * Segments of recognised text, in order. They replace all text from the start of the first segment
 * onwards. While `partial` is true, the text is not final. The last segments received are the whole
 * transcript.
 */
export interface LiveText {
  readonly segments: ReadonlyArray<LiveSegment>
  readonly partial: boolean
}

/**
 * A job's event. `segments` and `partial` describe the text that is newly available with this
 * event.
 */
type StreamedEvent = JobEvent & { id: string } & Partial<LiveText>

/** A job's event. `cursor` resumes the stream after this event. */
export type LiveEvent =
  | { readonly event: "event"; readonly cursor: string; readonly data: StreamedEvent }
  | { readonly event: "progress"; readonly data: { id: string; progress: number } }
  /** The last event of a job, unless the job is retried or redelivered. */
  | { readonly event: "end"; readonly cursor: string; readonly data: { id: string } }
  /** The last event of a deleted job's own stream; only the stream of all jobs has a cursor. */
  | { readonly event: "deleted"; readonly cursor?: string; readonly data: { id: string } }
  /** Some events have been lost, so the caller must list the jobs again. */
  | { readonly event: "reset"; readonly cursor: string; readonly data: object }

/** Options of an event stream. */
export interface EventOptions {
  /** Ends the stream when aborted. */
  readonly signal?: AbortSignal | undefined
  /** The `cursor` of the last event received. */
  readonly after?: string | undefined
}

/** Default pause before reconnecting, in milliseconds; the server can set a different pause. */
const retryMillisDefault = 2_000

/**
 * Milliseconds of silence after which a connection is considered dead: four missed keep-alive
 * messages.
 */
export const silenceMillisMax = 60_000

/**
 * The longest accepted block, in UTF-16 units. An event usually takes a few kilobytes. Ten hours of
 * text would take 8 MB if the whole text became available at once.
 */
const blockLengthMax = 16_777_216

interface Block {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
}

const toBlock = (text: string): Block =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const colon = line.indexOf(": ")
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)]] : []
    })
  )

/** Returns the value, or undefined if the value does not arrive within `silenceMillisMax`. */
const inTime = async <A>(coming: Promise<A>, { sleep }: Clock): Promise<A | undefined> => {
  const came = new AbortController()
  try {
    const silence = sleep(silenceMillisMax, came.signal).then(() => undefined)
    return await Promise.race([coming, silence])
  } finally {
    came.abort()
  }
}

/** Reads a stream's blocks until it ends, breaks off or falls silent. */
async function* readBlocks(body: ReadableStream<Uint8Array>, clock: Clock): AsyncGenerator<Block> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  let rest = ""
  try {
    for (;;) {
      const { done = true, value } = (await inTime(reader.read(), clock)) ?? {}
      if (done) return
      rest += value
      if (rest.length > blockLengthMax) return
      const blocks = rest.split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) yield toBlock(block)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** In the stream of all jobs, a deletion has an id and is followed by further events. */
const isLast = ({ event, id }: Block): boolean =>
  event === "end" || (event === "deleted" && id === undefined)

/** Connects after a cursor, or at the beginning. Status 204 means that there are no more events. */
export type Connect = (after: string | undefined) => Promise<Response>

/** A block's event, or undefined if the block only advances the cursor. */
const toEvent = ({ data, event, id }: Block): LiveEvent | undefined =>
  event === undefined || data === undefined
    ? undefined
    : ({ event, data: JSON.parse(data), ...(id === undefined ? {} : { cursor: id }) } as LiveEvent)

/** Streams events up to the last event, or until the caller stops. */
export async function* streamEvents(
  connect: Connect,
  { clock, options }: { readonly clock: Clock; readonly options: EventOptions }
): AsyncGenerator<LiveEvent, void, undefined> {
  const { signal } = options
  let { after } = options
  let pause = retryMillisDefault
  // The loop ends with the last event, with a refusal, or when the caller stops.
  for (;;) {
    const { body, status } = await connect(after)
    if (status === 204 || body === null) return
    try {
      for await (const block of readBlocks(body, clock)) {
        pause = Number(block.retry ?? pause)
        after = block.id ?? after
        const event = toEvent(block)
        if (event !== undefined) yield event
        if (event !== undefined && isLast(block)) return
      }
    } catch (cause) {
      // Reconnects after a broken connection; an abort by the caller ends the stream.
      if (signal?.aborted) throw signal.reason
      if (!(cause instanceof TypeError)) throw cause
    }
    await clock.sleep(pause, signal)
  }
}
