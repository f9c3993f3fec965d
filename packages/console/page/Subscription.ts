/**
 * The workspace's live events. All visible tabs share one stream, because a browser opens only six
 * HTTP/1.1 connections to a server: the tab that holds a lock reads the stream and passes the
 * events on. A proxy that buffers a response delivers nothing until it ends, so only received bytes
 * prove that the stream works: the server sends bytes at once and then every 15 seconds.
 */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { api, apiAddress, isAway } from "./Api.ts"
import { owner } from "./session/Session.ts"
import { sleep } from "./ui/Clock.ts"
import type { Source } from "./ui/Loaded.tsx"

/** Two missed keep-alive messages plus a margin. The stream is then considered dead. */
const silenceMillis = 40_000

const retryMillis = 5_000
type SubscribeOptions = Readonly<{ onEvent: (event: LiveEvent) => void; ended: AbortSignal }>

export interface Subscription {
  /** Whether events arrive. When this becomes true, earlier events may have been missed. */
  readonly isLive: ReadonlySignal<boolean>
}

type Message =
  | { readonly is: "event"; readonly event: LiveEvent }
  /** The stream, which one of the tabs reads, is delivering bytes. */
  | { readonly is: "live" }
  /** The stream has ended; another tab may take over. */
  | { readonly is: "over" }
  /** A new tab asks whether the stream is live. */
  | { readonly is: "hello" }

const coalesceMillis = 200
type CoalesceOptions = Readonly<{ ended: AbortSignal; restMillis?: () => number }>

/** Returns a function that calls `run` soon, but only once every `restMillis`. */
export const coalesce = ({ ended, restMillis = () => 0 }: CoalesceOptions, run: () => void) => {
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

const pollMillis = 2_000

/** Number of ticks between polls while events arrive: one poll per minute. */
const slowPollTicks = 30

/** Polls a source, rarely while events arrive, and reloads it when they start to arrive. */
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

type ChannelOptions = Readonly<{ ended: AbortSignal; onMessage: (message: Message) => void }>
const openChannel = ({ ended, onMessage }: ChannelOptions) => {
  const name = `verbatim events of ${apiAddress("")} ${owner.peek()}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => onMessage(data))
  ended.addEventListener("abort", () => channel.close())
  return {
    send: (message: Message): void => {
      if (!ended.aborted) channel.postMessage(message)
      onMessage(message)
    },
    greet: (): void => channel.postMessage({ is: "hello" } satisfies Message),
    /** Browsers have locks only on `https` and `localhost`. Elsewhere, each tab reads alone. */
    alone: async (task: () => Promise<void>, left: AbortSignal): Promise<void> => {
      if (navigator.locks === undefined) return task()
      await navigator.locks.request(name, { signal: left }, task).catch(() => undefined)
    }
  }
}

/** Tracks whether a stream delivers bytes. The client replaces a silent connection. */
const makeLiveness = () => {
  const isLive = signal(false)
  let silence: ReturnType<typeof setTimeout> | undefined
  const setStale = (): void => {
    clearTimeout(silence)
    isLive.value = false
  }
  const noteBytes = (): void => {
    clearTimeout(silence)
    silence = setTimeout(setStale, silenceMillis)
    isLive.value = true
  }
  return { isLive, noteBytes, setStale }
}

/** Subscribes to live events. Whenever the stream breaks, resumes after the last event received. */
export const subscribe = ({ ended, onEvent }: SubscribeOptions): Subscription => {
  let after: string | undefined
  let isReading = false
  /** Ends this tab's subscription. Undefined while the tab is hidden. */
  let visit: AbortController | undefined
  const { isLive, noteBytes, setStale } = makeLiveness()
  const channel = openChannel({
    ended,
    onMessage: (message) => {
      if (visit === undefined) return
      if (message.is === "over") setStale()
      if (message.is === "hello" && isReading && isLive.peek()) onBytes()
      if (message.is === "live") noteBytes()
      if (message.is !== "event") return
      if ("cursor" in message.event) after = message.event.cursor
      onEvent(message.event)
    }
  })
  const onBytes = (): void => channel.send({ is: "live" })
  const read = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      isReading = true
      try {
        for await (const event of api.transcriptions.allEvents({ after, onBytes, signal })) {
          channel.send({ is: "event", event })
        }
      } catch {
        // A refused or broken connection is ignored, because polling picks up the missed events.
      }
      isReading = false
      channel.send({ is: "over" })
      if (!signal.aborted) await sleep(retryMillis)
    }
  }
  const look = (): void => {
    if (document.hidden || ended.aborted) {
      visit?.abort()
      visit = undefined
      setStale()
    } else if (visit === undefined) {
      visit = new AbortController()
      const { signal } = visit
      channel.greet()
      void channel.alone(() => read(signal), signal)
    }
  }
  document.addEventListener("visibilitychange", look, { signal: ended })
  ended.addEventListener("abort", look)
  look()
  return { isLive }
}
