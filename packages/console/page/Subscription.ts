/**
 * Subscribes to live events. A proxy that buffers a response delivers nothing until the response
 * ends. Received bytes show that events arrive, because the server sends some bytes at once and
 * then every 15 seconds.
 */
import { type Signal, signal } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { makeClient } from "./Api.ts"

/**
 * A connection that delivers no bytes for this long counts as dead: two heartbeats plus a margin.
 */
const silenceMillis = 40_000

/** Delay before reconnecting. */
const retryMillis = 5_000

type Client = ReturnType<typeof makeClient>

/** The cursor to resume from, and the signal that ends the stream. */
interface StreamOptions {
  readonly after?: string | undefined
  readonly signal: AbortSignal
}

/** Options for a subscription. */
interface SubscribeOptions {
  readonly events: (api: Client, options: StreamOptions) => AsyncIterable<LiveEvent>
  readonly onEvent: (event: LiveEvent) => void
  readonly ended: AbortSignal
}

/** A running subscription. */
export interface Subscription {
  /** Whether events arrive as they happen. */
  readonly isLive: Signal<boolean>
  /** Whether the stream has ended because there are no more events. */
  readonly hasEnded: Signal<boolean>
  /** Subscribes again from the last event, because an action has restarted the job. */
  readonly resume: () => void
}

/** Returns the same response, with a call of `onBytes` for each chunk. */
const watchBytes = (response: Response, onBytes: () => void): Response => {
  if (!response.ok || response.body === null) return response
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      onBytes()
      controller.enqueue(chunk)
    }
  })
  return new Response(response.body.pipeThrough(watched), response)
}

const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

/** Events within this time are handled together. */
const coalesceMillis = 200

interface CoalesceOptions {
  readonly ended: AbortSignal
  /** Minimum time between two calls. */
  readonly restMillis?: () => number
}

/**
 * Returns a function that calls `run` once, soon after the first of several calls, and then not
 * again before `restMillis` have passed.
 */
export const coalesce = (
  run: () => void,
  { ended, restMillis = () => 0 }: CoalesceOptions
): (() => void) => {
  let isPending = false
  let restsUntil = 0
  return () => {
    if (isPending) return
    isPending = true
    setTimeout(
      () => {
        isPending = false
        restsUntil = Date.now() + restMillis()
        if (!ended.aborted) run()
      },
      Math.max(coalesceMillis, Math.min(restMillis(), restsUntil - Date.now()))
    )
  }
}

/** Subscribes, and resumes after the last event whenever the connection breaks. */
export const subscribe = ({ ended, events, onEvent }: SubscribeOptions): Subscription => {
  const isLive = signal(false)
  const hasEnded = signal(false)
  let wake = (): void => {}
  let silence: ReturnType<typeof setTimeout> | undefined
  const setStale = (): void => {
    isLive.value = false
  }
  let attempt = new AbortController()
  /** Drops a connection that is open but silent, so that another connection is made. */
  const reconnect = (): void => {
    setStale()
    attempt.abort()
  }
  const api = makeClient("workspace", (response) =>
    watchBytes(response, () => {
      if (ended.aborted) return
      clearTimeout(silence)
      silence = setTimeout(reconnect, silenceMillis)
      isLive.value = true
    })
  )
  const run = async (): Promise<void> => {
    let after: string | undefined
    while (!ended.aborted) {
      attempt = new AbortController()
      const signal = AbortSignal.any([ended, attempt.signal])
      try {
        for await (const event of events(api, { after, signal })) {
          if ("cursor" in event) after = event.cursor
          onEvent(event)
        }
        clearTimeout(silence)
        setStale()
        hasEnded.value = true
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        hasEnded.value = false
      } catch {
        // The connection was refused or broke; polling finds the missed events.
        clearTimeout(silence)
        setStale()
        await sleep(retryMillis)
      }
    }
  }
  ended.addEventListener("abort", () => {
    clearTimeout(silence)
    wake()
  })
  void run()
  return { isLive, hasEnded, resume: () => wake() }
}
