import { createClient, type LiveEvent } from "@verbatim/client"
import { assert, it } from "vitest"
import { startReceiver } from "./Receiver.ts"
import { dataDirectory, inferenceKey, passLeases, ServerProcess } from "./ServerProcess.ts"

type Status = Readonly<Record<string, string>>

const begun = ({ transcription_status }: Status) => transcription_status !== "IN_QUEUE"
const ended = ({ webhook_status }: Status) => webhook_status !== "PENDING"

/**
 * Starts one server after another in the same directory, and kills each one before the next starts.
 */
const startLives = async (directory: string) => {
  const lives = [await ServerProcess.start(directory)]
  const current = (): ServerProcess => {
    const last = lives.at(-1)
    if (last === undefined) throw new Error("there is no server")
    return last
  }
  return {
    current,
    killAndStart: async () => {
      await current().end("SIGKILL")
      lives.push(await ServerProcess.start(directory))
      passLeases(directory)
    },
    [Symbol.asyncDispose]: () => current()[Symbol.asyncDispose]()
  }
}

const anywhere = "http://verbatim.example"

/** Creates a client of the current server, which retries for as long as a server takes to start. */
const makeClient = (current: () => ServerProcess) => {
  const counts = { connected: 0 }
  const client = createClient({
    baseURL: anywhere,
    key: inferenceKey,
    retry: { maxAttempts: 1_000, totalMillis: 600_000 },
    fetch: async (request) => {
      const placed = request.url.replace(anywhere, current().address)
      const response = await fetch(new Request(placed, request))
      counts.connected += 1
      return response
    }
  })

  return { client, counts }
}

/** Reads the current cursor of a workspace's events. */
const placeNow = async (server: ServerProcess): Promise<string> => {
  const { body } = await server.request("/v1/transcriptions/events")
  let text = ""
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    const place = /^id: (.*)\n/m.exec(text)?.[1]
    if (place !== undefined) return place
  }
  throw new Error("no cursor was sent")
}

/** Collects the expected number of events from a stream, without progress. */
const hear = async (
  events: AsyncIterable<LiveEvent>,
  isLast: (event: LiveEvent) => boolean
): Promise<ReadonlyArray<LiveEvent>> => {
  const all: Array<LiveEvent> = []
  for await (const event of events) {
    if (event.event !== "progress") all.push(event)
    if (isLast(event)) return all
  }
  return all
}

const times = 25

const many = <A>(make: () => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: times }, make))

/**
 * Lists the events that a job's client received. Events with text are left out, because the history
 * does not contain them.
 */
const eventsOf = (received: ReadonlyArray<LiveEvent>, id: string): ReadonlyArray<unknown> =>
  received.flatMap((message) => {
    if (message.event !== "event" || message.data.id !== id) return []
    const { partial: _, segments: __, ...entry } = message.data
    return [entry]
  })

/** Joins the text of the segments that a job's client received. */
const textOf = (received: ReadonlyArray<LiveEvent>, id: string): ReadonlyArray<string> =>
  received.flatMap((message) =>
    message.event === "event" && message.data.id === id
      ? (message.data.segments ?? []).map(({ text }) => text)
      : []
  )

const historyOf = async (server: ServerProcess, id: string): Promise<ReadonlyArray<unknown>> => {
  const response = await server.request(`/v1/transcriptions/${id}/history`)
  const { events } = (await response.json()) as { events: ReadonlyArray<object> }
  return events.map((event) => ({ id, ...event }))
}

// Twenty-five clients follow a job, and the others follow its workspace.
it("sends each event and segment once to fifty clients while servers are killed", async () => {
  await using directory = await dataDirectory()
  await using receiver = await startReceiver()
  await using lives = await startLives(directory.path)
  const { current, killAndStart } = lives
  const { client, counts } = makeClient(current)
  const { transcriptions } = client
  const after = await placeNow(current())
  let last = ""
  const isOfOthers = (message: LiveEvent) => message.event !== "event" || message.data.id !== last
  const ofAll = many(() =>
    hear(transcriptions.allEvents({ after }), (message) => !isOfOthers(message))
  )
  const { id: one = "" } = await current().upload({ callback_url: receiver.url })
  const ofOne = many(() => hear(transcriptions.events(one), () => false))
  await current().until(one, begun)
  await killAndStart()
  const { id: other = "" } = await current().upload({ callback_url: receiver.url })
  await current().until(other, begun)
  await killAndStart()
  await current().until(one, ended)
  await current().until(other, ended)
  // The events of the last job come after all others. When they have arrived, no other event can
  // follow.
  const marker = await current().upload({})
  last = marker.id ?? ""

  const [first, ...others] = await ofOne
  for (const received of others) assert.deepStrictEqual(received, first)
  assert.deepStrictEqual(eventsOf(first ?? [], one), await historyOf(current(), one))
  assert.strictEqual(first?.at(-1)?.event, "end")

  const [firstOfAll, ...othersOfAll] = (await ofAll).map((received) => received.filter(isOfOthers))
  for (const received of othersOfAll) assert.deepStrictEqual(received, firstOfAll)
  for (const id of [one, other]) {
    assert.deepStrictEqual(eventsOf(firstOfAll ?? [], id), await historyOf(current(), id))
    const { output } = await transcriptions.get(id)
    const spoken = (output?.list ?? []).map(({ text }) => text)
    assert.isNotEmpty(spoken)
    assert.deepStrictEqual(textOf(firstOfAll ?? [], id), spoken)
  }
  assert.isAbove(counts.connected, 2 * times)
})
