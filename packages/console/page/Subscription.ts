/**
 * The workspace's live events. Hidden tabs have no stream, because a browser opens only six
 * HTTP/1.1 connections to a server.
 *
 * A proxy that buffers a response delivers nothing until the response ends. Received bytes prove
 * that the stream works: the server sends bytes at once and then every 15 seconds.
 */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { isAway, makeClient } from "./Api.ts"
import type { Source } from "./ui/Loaded.ts"

/**
 * Milliseconds without bytes after which a stream is considered dead: two keep-alive messages plus
 * a margin.
 */
const silenceMillis = 40_000

/** Delay in milliseconds before reconnecting. */
const retryMillis = 5_000

interface SubscribeOptions {
  readonly onEvent: (event: LiveEvent) => void
  readonly ended: AbortSignal
}

/** A subscription to live events. */
export interface Subscription {
  /**
   * Whether events arrive as they happen. When the value becomes true, earlier events may have been
   * missed.
   */
  readonly isLive: ReadonlySignal<boolean>
}

/** Returns the given response, and calls `onBytes` for each of its chunks. */
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

/** Milliseconds during which arriving events are collected and handled together. */
const coalesceMillis = 200

interface CoalesceOptions {
  readonly ended: AbortSignal
  /** Minimum time between two calls. */
  readonly restMillis?: () => number
}

/**
 * Returns a function that calls `run` once, soon after the first of several calls, and not again
 * until `restMillis` have passed.
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

/** The polling interval while no events arrive. */
const pollMillis = 2_000

/** Number of ticks between polls while events arrive: one poll per minute. */
const slowPollTicks = 30

/**
 * Keeps a source current by polling, but polls rarely while events arrive. Reloads the source when
 * events start to arrive, because earlier events may have been missed.
 */
export const keepCurrent = (
  { reload, state }: Pick<Source<unknown>, "reload" | "state">,
  { ended, isLive }: Subscription & { readonly ended: AbortSignal }
): void => {
  let tick = 0
  const timer = setInterval(() => {
    tick += 1
    const isDue = !isLive.value || tick % slowPollTicks === 0
    const isSeen = !isAway.value && !document.hidden
    if (isDue && isSeen && !state.peek().isLoading) void reload()
  }, pollMillis)
  const stop = effect(() => {
    if (isLive.value) untracked(() => void reload())
  })
  ended.addEventListener("abort", () => {
    clearInterval(timer)
    stop()
  })
}

/** Subscribes to live events. Whenever the stream breaks, resumes after the last event received. */
export const subscribe = ({ ended, onEvent }: SubscribeOptions): Subscription => {
  const isLive = signal(false)
  let silence: ReturnType<typeof setTimeout> | undefined
  let after: string | undefined
  /** Ends the subscription while the tab is hidden. Undefined while it is hidden. */
  let visit: AbortController | undefined
  const setStale = (): void => {
    clearTimeout(silence)
    isLive.value = false
  }
  /** Reads one stream until it breaks, falls silent, or the tab is hidden. */
  const read = async (left: AbortSignal): Promise<void> => {
    const silent = new AbortController()
    const noteBytes = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => silent.abort(), silenceMillis)
      isLive.value = true
    }
    const api = makeClient("workspace", {
      toAnswer: (response) => watchBytes(response, noteBytes)
    })
    const signal = AbortSignal.any([left, silent.signal])
    for await (const event of api.transcriptions.allEvents({ after, signal })) {
      if ("cursor" in event) after = event.cursor
      onEvent(event)
    }
  }
  const readAll = async (left: AbortSignal): Promise<void> => {
    while (!left.aborted) {
      // A refused or broken connection is ignored, because polling picks up the missed events.
      await read(left).catch(() => undefined)
      if (left.aborted) return
      setStale()
      await sleep(retryMillis)
    }
  }
  const look = (): void => {
    if (document.hidden || ended.aborted) {
      visit?.abort()
      visit = undefined
      setStale()
    } else if (visit === undefined) {
      visit = new AbortController()
      void readAll(visit.signal)
    }
  }
  document.addEventListener("visibilitychange", look, { signal: ended })
  ended.addEventListener("abort", look)
  look()
  return { isLive }
}
