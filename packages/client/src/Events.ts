/**
 * Live events as they come: the connection is made again when it breaks off or falls silent, and
 * resumes after the last event, so that none is missed and none comes twice.
 */

import type { components } from "./generated/Description.ts"
import type { Clock } from "./Retry.ts"

type Happening = components["schemas"]["JobHistory"]["events"][number]

/** What happens to jobs. `place` is where to go on from later. */
export type LiveEvent =
  | { readonly event: "event"; readonly place: string; readonly data: Happening & { id: string } }
  | { readonly event: "progress"; readonly data: { id: string; progress: number } }
  /** Nothing more happens to the job unless it is retried or redelivered. */
  | { readonly event: "end"; readonly place: string; readonly data: { id: string } }
  /** Among the events of all jobs it has a place; those of the job itself end with it. */
  | { readonly event: "deleted"; readonly place?: string; readonly data: { id: string } }
  /** Events were lost: list the jobs again. */
  | { readonly event: "reset"; readonly place: string; readonly data: object }

/** How to listen. */
export interface ListenOptions {
  /** Ends the listening. */
  readonly signal?: AbortSignal | undefined
  /** The `place` of the last event that was heard. */
  readonly after?: string | undefined
}

/** Milliseconds before a connection is made again, where the server names none. */
const retryMillisDefault = 2_000

/** Four comments of the server: a connection on which nothing comes for so long is dead. */
export const silenceMillisMax = 60_000

/** Longest block that is read, in UTF-16 units: an event has some kilobytes. */
const blockLengthMax = 1_048_576

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

/** What comes within the time in which something has to come; nothing where nothing does. */
const inTime = async <A>(coming: Promise<A>, { sleep }: Clock): Promise<A | undefined> => {
  const came = new AbortController()
  try {
    const silence = sleep(silenceMillisMax, came.signal).then(() => undefined)
    return await Promise.race([coming, silence])
  } finally {
    came.abort()
  }
}

/** The blocks of a stream, until it ends, breaks off or falls silent. */
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

/** Among the events of all jobs a deletion has an id, and others follow. */
const isLast = ({ event, id }: Block): boolean =>
  event === "end" || (event === "deleted" && id === undefined)

/** Connects behind a place, or at the beginning. The status 204 says that all was heard. */
export type Connect = (after: string | undefined) => Promise<Response>

/** The event of a block; none where the block only says how far the stream has come. */
const toEvent = ({ data, event, id }: Block): LiveEvent | undefined =>
  event === undefined || data === undefined
    ? undefined
    : ({ event, data: JSON.parse(data), ...(id === undefined ? {} : { place: id }) } as LiveEvent)

/** Listens until the last event, or until the caller stops. */
export async function* listen(
  connect: Connect,
  { clock, options }: { readonly clock: Clock; readonly options: ListenOptions }
): AsyncGenerator<LiveEvent, void, undefined> {
  const { signal } = options
  let { after } = options
  let pause = retryMillisDefault
  // Ends with the last event, at a refusal, or when the caller leaves.
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
      // A connection that broke off is made again; the caller's own reason ends the listening.
      if (signal?.aborted) throw signal.reason
      if (!(cause instanceof TypeError)) throw cause
    }
    await clock.sleep(pause, signal)
  }
}
