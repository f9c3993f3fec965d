/**
 * Streams live events. If a connection breaks or stops sending, the client reconnects after the
 * last received event, so no event is lost or repeated.
 */

import type { components } from "./generated/Description.ts"
import type { Clock } from "./Retry.ts"

type Schemas = components["schemas"]

type JobEvent = Schemas["JobHistory"]["events"][number]

/**
 * A segment of recognised text. Speakers are known only when the whole recording has been
 * recognised.
 */
export type LiveSegment = Readonly<
  Omit<NonNullable<Schemas["JobDetails"]["output"]>["list"][number], "speaker">
> & { readonly speaker?: string }

/**
 * Segments of recognised text, in order. The segments replace all text from the start of the first
 * one onwards. While `partial` is true, the text can still change. The last segments received are
 * the whole transcript.
 */
export interface LiveText {
  readonly segments: ReadonlyArray<LiveSegment>
  readonly partial: boolean
}

/**
 * An event of a job. `segments` and `partial` describe the text that this event makes available.
 */
type StreamedEvent = JobEvent & { id: string } & Partial<LiveText>

/** An event of a job. Pass `cursor` to resume the stream after this event. */
export type LiveEvent =
  | { readonly event: "event"; readonly cursor: string; readonly data: StreamedEvent }
  | { readonly event: "progress"; readonly data: { id: string; progress: number } }
  /** The last event of a job, unless a retry or a redelivery follows. */
  | { readonly event: "end"; readonly cursor: string; readonly data: { id: string } }
  /**
   * The last event in the stream of a deleted job. The event has a cursor only in the stream of all
   * jobs.
   */
  | { readonly event: "deleted"; readonly cursor?: string; readonly data: { id: string } }
  /** Sent when events have been lost; list the jobs again to get the current state. */
  | { readonly event: "reset"; readonly cursor: string; readonly data: object }

/** Options of an event stream. */
export interface EventOptions {
  /** A signal that ends the stream when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** The `cursor` of the last event that you received. */
  readonly after?: string | undefined
  /**
   * Called whenever bytes arrive, with or without an event. They prove that the connection works:
   * the server sends some every 15 seconds, and a proxy may hold them back. Must not throw: a
   * `TypeError` would count as a broken connection.
   */
  readonly onBytes?: (() => void) | undefined
}

/** Default pause before reconnecting, in milliseconds. The server can set another pause. */
const retryMillisDefault = 2_000

/**
 * Milliseconds without data after which a connection is considered dead: four missed keep-alive
 * messages.
 */
export const silenceMillisMax = 60_000

/**
 * The longest accepted event block, in UTF-16 units. A block usually takes a few kilobytes; ten
 * hours of text that became available at once would take 8 MB.
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

/** Resolves with the value, or with undefined if it takes longer than `silenceMillisMax`. */
const inTime = async <A>(coming: Promise<A>, { sleep }: Clock): Promise<A | undefined> => {
  const came = new AbortController()
  try {
    const silence = sleep(silenceMillisMax, came.signal).then(() => undefined)
    return await Promise.race([coming, silence])
  } finally {
    came.abort()
  }
}

type Streaming = Readonly<{ clock: Clock; options: EventOptions }>

/** Reads event blocks from a stream until the stream ends, breaks off or stops sending. */
async function* readBlocks(
  body: ReadableStream<Uint8Array>,
  { clock, options: { onBytes } }: Streaming
): AsyncGenerator<Block> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader()
  let rest = ""
  try {
    for (;;) {
      const { done = true, value } = (await inTime(reader.read(), clock)) ?? {}
      if (done) return
      onBytes?.()
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

/** In the stream of all jobs, a deletion has an id, and more events follow it. */
const isLast = ({ event, id }: Block): boolean =>
  event === "end" || (event === "deleted" && id === undefined)

/**
 * Connects after a cursor, or from the beginning. Status 204 means that no more events will come.
 */
export type Connect = (after: string | undefined) => Promise<Response>

/** Returns a block's event, or undefined if the block only advances the cursor. */
const toEvent = ({ data, event, id }: Block): LiveEvent | undefined =>
  event === undefined || data === undefined
    ? undefined
    : ({ event, data: JSON.parse(data), ...(id === undefined ? {} : { cursor: id }) } as LiveEvent)

/** Streams events until the last event, or until the caller stops. */
export async function* streamEvents(
  connect: Connect,
  streaming: Streaming
): AsyncGenerator<LiveEvent, void, undefined> {
  const { clock, options } = streaming
  const { signal } = options
  let { after } = options
  let pause = retryMillisDefault
  // The loop ends after the last event, after a refusal, or when the caller stops.
  for (;;) {
    const { body, status } = await connect(after)
    if (status === 204 || body === null) return
    try {
      for await (const block of readBlocks(body, streaming)) {
        pause = Number(block.retry ?? pause)
        after = block.id ?? after
        const event = toEvent(block)
        if (event !== undefined) yield event
        if (event !== undefined && isLast(block)) return
      }
    } catch (cause) {
      // A broken connection is replaced; an abort by the caller ends the stream.
      if (signal?.aborted) throw signal.reason
      if (!(cause instanceof TypeError)) throw cause
    }
    await clock.sleep(pause, signal)
  }
}
