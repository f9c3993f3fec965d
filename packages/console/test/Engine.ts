/** An engine of OpenAI's protocol on this machine: it hears the same sentences in any recording. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** What it hears, unless a story says something else. */
const meeting = ["We met at the harbour at nine.", "The crane is late.", "We leave on Friday."]

/** A sentence and the silence after it. */
const sentenceSeconds = 4
const silenceSeconds = 0.5

/** Each sentence takes as long as the next one, or its share of the letters of a recording. */
const toHeard = (sentences: ReadonlyArray<string>, seconds: number | undefined) => {
  const letters = sentences.join("").length
  let begun = 0
  const segments = sentences.map((text, id) => {
    const start = begun
    begun += seconds === undefined ? sentenceSeconds : (seconds * text.length) / letters
    const end = begun - silenceSeconds
    return { id, start, end, text: ` ${text}`, avg_logprob: -0.1, no_speech_prob: 0 }
  })
  return { text: sentences.join(" "), language: "english", duration: seconds ?? 12, segments }
}

/** Starts it. While it is held, whoever asks waits. */
export const startEngine = async () => {
  let release = Promise.withResolvers<void>()
  release.resolve()
  let sentences: ReadonlyArray<string> = meeting
  let spoken: number | undefined
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    await release.promise
    const answer = request.url?.endsWith("/chat/completions")
      ? { choices: [{ message: { content: "They met. They left." }, finish_reason: "stop" }] }
      : toHeard(sentences, spoken)
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    /** From now on it hears this, or the meeting again; in a recording of so many seconds. */
    say: (said: ReadonlyArray<string> = meeting, seconds?: number) => {
      sentences = said
      spoken = seconds
    },
    hold: () => {
      release = Promise.withResolvers<void>()
    },
    release: () => release.resolve(),
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
