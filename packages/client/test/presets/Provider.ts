/** A scripted model provider on this machine, which records the bytes that it receives. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** A request that the provider received. */
interface Arrival {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

const chat = {
  ...{ id: "c1", object: "chat.completion", created: 1, model: "a/b", usage },
  system_fingerprint: null,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hello." },
      finish_reason: "stop",
      logprobs: null
    }
  ]
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: "c1", object: "chat.completion.chunk", created: 1, model: "a/b" },
  choices: [{ index: 0, delta, finish_reason }]
})

const output = [
  {
    ...{ type: "message", id: "m1", role: "assistant", status: "completed" },
    content: [{ type: "output_text", text: "Hello.", annotations: [] }]
  }
]

const response = {
  ...{ id: "r1", object: "response", created_at: 1, model: "a/b", output, status: "completed" },
  ...{ error: null, incomplete_details: null, instructions: null, metadata: null, tools: [] },
  ...{ tool_choice: "auto", parallel_tool_calls: true, temperature: 1, top_p: 1 },
  ...{ completed_at: 1, frequency_penalty: 0, presence_penalty: 0 },
  usage: {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 }
  }
}

const delta = (text: string, sequence_number: number) => ({
  ...{ type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0 },
  ...{ delta: text, sequence_number, logprobs: [] }
})

const message = {
  ...{ id: "m1", type: "message", role: "assistant", model: "a/b", stop_sequence: null },
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 }
}

const block = (type: string, more: object) => ({ type, index: 0, ...more })

const textDelta = (text: string) =>
  block("content_block_delta", { delta: { type: "text_delta", text } })

/** The response for a path: a body, or the events of a stream. */
const answers: Readonly<Record<string, { whole: object; events: ReadonlyArray<object> }>> = {
  "/chat/completions": {
    whole: chat,
    events: [
      chunk({ role: "assistant", content: "Hel" }),
      chunk({ content: "lo." }),
      chunk({}, "stop")
    ]
  },
  "/responses": {
    whole: response,
    events: [
      { type: "response.created", sequence_number: 0, response: { ...response, output: [] } },
      {
        ...{ type: "response.output_item.added", output_index: 0, sequence_number: 1 },
        item: { ...output[0], content: [], status: "in_progress" }
      },
      delta("Hel", 2),
      delta("lo.", 3),
      {
        ...{ type: "response.output_item.done", output_index: 0, sequence_number: 4 },
        item: output[0]
      },
      { type: "response.completed", sequence_number: 5, response }
    ]
  },
  "/messages": {
    whole: message,
    events: [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      block("content_block_start", { content_block: { type: "text", text: "" } }),
      textDelta("Hel"),
      textDelta("lo."),
      block("content_block_stop", {}),
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 1 }
      },
      { type: "message_stop" }
    ]
  }
}

const eventText = (event: object): string => {
  const type = Reflect.get(event, "type")
  const name = type === undefined ? "" : `event: ${type}\n`
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Starts a provider that runs until the end of the test. */
export const startProvider = async () => {
  const arrivals: Array<Arrival> = []
  const server = createServer(async (request, out) => {
    const body = await readAll(request)
    const path = request.url ?? ""
    arrivals.push({ path, headers: request.headers, body })
    const answer = Object.entries(answers).find(([ending]) => path.split("?")[0]?.endsWith(ending))
    const { events, whole } = answer?.[1] ?? { whole: {}, events: [] }
    if (JSON.parse(body || "{}").stream !== true) {
      out.setHeader("content-type", "application/json").end(JSON.stringify(whole))
      return
    }
    out.setHeader("content-type", "text/event-stream")
    for (const event of events) out.write(eventText(event))
    out.end(path.endsWith("/chat/completions") ? "data: [DONE]\n\n" : "")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrivals }
}
