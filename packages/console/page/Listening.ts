/**
 * Answers that come while something happens. A proxy that collects answers gives them at the end:
 * whether anything comes at all is known by the bytes, of which the server sends some at once and
 * then every 15 seconds.
 */
import { type Signal, signal } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { makeClient } from "./Api.ts"

/** So long after the last bytes nobody is heard any more: two signs of life and some more. */
const silenceMillis = 40_000

/** Before the server is asked again to let us listen. */
const againMillis = 5_000

type Listening = ReturnType<typeof makeClient>

/** Where to go on from, and until when to listen. */
interface Options {
  readonly after?: string | undefined
  readonly signal: AbortSignal
}

/** Whom to listen to. */
interface Wanted {
  readonly events: (api: Listening, options: Options) => AsyncIterable<LiveEvent>
  readonly onEvent: (event: LiveEvent) => void
  readonly ended: AbortSignal
}

/** Somebody who listens. */
export interface Listener {
  /** Whether what happens gets here at once. */
  readonly isLive: Signal<boolean>
  /** Whether the last event has come, and nobody is listened to any more. */
  readonly isOver: Signal<boolean>
  /** Listens again after the last event: somebody asked for something. */
  readonly again: () => void
}

/** The same answer, of which each part is noted. */
const hear = (response: Response, onBytes: () => void): Response => {
  if (!response.ok || response.body === null) return response
  const noted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      onBytes()
      controller.enqueue(chunk)
    }
  })
  return new Response(response.body.pipeThrough(noted), response)
}

const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

/** What happens together is looked at once. */
const gatherMillis = 200

interface Gathering {
  readonly ended: AbortSignal
  /** Between two calls, however much happens. */
  readonly restMillis?: () => number
}

/** Calls once, soon after the first of several calls; and then not before it has rested. */
export const gather = (
  run: () => void,
  { ended, restMillis = () => 0 }: Gathering
): (() => void) => {
  let isGathering = false
  let restsUntil = 0
  return () => {
    if (isGathering) return
    isGathering = true
    setTimeout(
      () => {
        isGathering = false
        restsUntil = Date.now() + restMillis()
        if (!ended.aborted) run()
      },
      Math.max(gatherMillis, Math.min(restMillis(), restsUntil - Date.now()))
    )
  }
}

/** Begins to listen, and goes on behind the last event where the connection breaks. */
export const listen = ({ ended, events, onEvent }: Wanted): Listener => {
  const isLive = signal(false)
  const isOver = signal(false)
  let wake = (): void => {}
  let silence: ReturnType<typeof setTimeout> | undefined
  const setDeaf = (): void => {
    isLive.value = false
  }
  let attempt = new AbortController()
  /** Nobody closed the connection, and nothing comes any more: another one is made. */
  const leave = (): void => {
    setDeaf()
    attempt.abort()
  }
  const api = makeClient("workspace", (response) =>
    hear(response, () => {
      if (ended.aborted) return
      clearTimeout(silence)
      silence = setTimeout(leave, silenceMillis)
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
        setDeaf()
        isOver.value = true
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        isOver.value = false
      } catch {
        // Refused, or broken off: what was missed is seen by asking.
        clearTimeout(silence)
        setDeaf()
        await sleep(againMillis)
      }
    }
  }
  ended.addEventListener("abort", () => {
    clearTimeout(silence)
    wake()
  })
  void run()
  return { isLive, isOver, again: () => wake() }
}
