/**
 * A local engine that speaks OpenAI's protocol and returns the same sentences for any recording.
 */
import { buffer } from "node:stream/consumers"
import { listen } from "./Listener.ts"
import { until } from "./Until.ts"

/** The sentences that the engine returns by default. */
const meeting = ["We met at the harbour at nine.", "The crane is late.", "We leave on Friday."]

const toTranscription = (sentences: ReadonlyArray<string>) => ({
  text: sentences.join(" "),
  language: "english",
  duration: 12,
  segments: sentences.map((text, index) => ({
    id: index,
    start: index * 4,
    end: index * 4 + 3.5,
    text: ` ${text}`,
    avg_logprob: -0.1,
    no_speech_prob: 0
  }))
})

/** Starts the engine. Requests wait while the engine is held. */
export const startEngine = async () => {
  let isHeld = false
  let waiting: ReadonlyArray<() => void> = []
  const answerNext = (): void => {
    const [next, ...others] = waiting
    waiting = others
    next?.()
  }
  let sentences: ReadonlyArray<string> = meeting
  let fault:
    | { readonly message: string; readonly path: string; readonly status: number }
    | undefined
  const listener = await listen(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    if (isHeld) {
      await new Promise<void>((resolve) => {
        waiting = [...waiting, resolve]
      })
    }
    if (fault !== undefined && request.url?.includes(fault.path)) {
      const { message, status } = fault
      const error = { message, type: message, code: message }
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ error }))
      return
    }
    const answer = request.url?.endsWith("/chat/completions")
      ? { choices: [{ message: { content: "They met. They left." }, finish_reason: "stop" }] }
      : toTranscription(sentences)
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  return {
    url: `${listener.address}/v1`,
    /**
     * Sets the sentences for the next requests. Without sentences, the default sentences are used
     * again.
     */
    say: (said: ReadonlyArray<string> = meeting) => {
      sentences = said
    },
    /**
     * Refuses all further requests with the given message and status, or only those whose path
     * contains the given string. Without a message, accepts requests again.
     */
    refuse: (
      message?: string,
      { path = "", status = 400 }: { readonly path?: string; readonly status?: number } = {}
    ) => {
      fault = message === undefined ? undefined : { message, path, status }
    },
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      while (waiting.length > 0) answerNext()
    },
    /** Answers a single request with the given sentences while the engine is held. */
    answer: async (said: ReadonlyArray<string>): Promise<void> => {
      await until(() => waiting.length > 0)
      sentences = said
      answerNext()
    },
    stop: listener.stop
  }
}
