/**
 * A server is killed, again and again, while many listen: whoever connects again is told the rest,
 * nothing is missing, and nothing comes twice.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { createClient, type LiveEvent } from "@verbatim/client"
import { launch } from "@verbatim/testkit/servers"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { startReceiver } from "./Receiver.ts"
import { dataDirectory, inferenceKey, ServerProcess, type Settings } from "./ServerProcess.ts"

type Status = Readonly<Record<string, string>>

const begun = ({ transcription_status }: Status) => transcription_status !== "IN_QUEUE"
const ended = ({ webhook_status }: Status) => webhook_status !== "PENDING"

/** Half a minute passes for the leases: they lapse. */
const passing = "UPDATE verbatim_work SET lease_until = lease_until - 30000"

/** Where the jobs are. */
interface Place {
  readonly directory: string
  readonly settings: Settings
  readonly passLeases: () => Promise<unknown>
}

const inFile = (directory: string): Place => ({
  directory,
  settings: {},
  passLeases: async () => {
    using database = new DatabaseSync(join(directory, "verbatim.db"), { timeout: 5_000 })
    database.exec(passing)
  }
})

const onServer = (directory: string, url: string): Place => ({
  directory,
  settings: { VERBATIM_DATABASE_URL: url },
  passLeases: () =>
    Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(passing)).pipe(
        Effect.provide(PostgresClient.layer({ url: Redacted.make(url), connectionsMax: 1 }))
      )
    )
})

/** Servers over one place, of which each is killed before the next one begins. */
const startLives = async ({ directory, passLeases, settings }: Place) => {
  const lives = [await ServerProcess.start(directory, settings)]
  const current = (): ServerProcess => {
    const last = lives.at(-1)
    if (last === undefined) throw new Error("there is no server")
    return last
  }
  return {
    current,
    killAndStart: async () => {
      await current().end("SIGKILL")
      lives.push(await ServerProcess.start(directory, settings))
      await passLeases()
    },
    [Symbol.asyncDispose]: () => current()[Symbol.asyncDispose]()
  }
}

const anywhere = "http://verbatim.example"

/** A client of whichever server is there, that tries for as long as it takes to start one. */
const makeClient = (current: () => ServerProcess) => {
  const counts = { connected: 0 }
  const client = createClient({
    baseUrl: anywhere,
    key: inferenceKey,
    retry: { attemptMax: 1_000, totalMillis: 600_000 },
    fetch: async (request) => {
      const placed = request.url.replace(anywhere, current().address)
      const response = await fetch(new Request(placed, request))
      counts.connected += 1
      return response
    }
  })

  return { client, counts }
}

/** Where a workspace is now. */
const placeNow = async (server: ServerProcess): Promise<string> => {
  const { body } = await server.request("/v1/transcriptions/events")
  let text = ""
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    const place = /^id: (.*)\n/m.exec(text)?.[1]
    if (place !== undefined) return place
  }
  throw new Error("no place was told")
}

/** Hears what is wanted of a stream, without its progress. */
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

/** What was heard of a job. */
const toldOf = (heard: ReadonlyArray<LiveEvent>, id: string): ReadonlyArray<unknown> =>
  heard.flatMap((told) => (told.event === "event" && told.data.id === id ? [told.data] : []))

const historyOf = async (server: ServerProcess, id: string): Promise<ReadonlyArray<unknown>> => {
  const response = await server.request(`/v1/transcriptions/${id}/history`)
  const { events } = (await response.json()) as { events: ReadonlyArray<object> }
  return events.map((event) => ({ id, ...event }))
}

/** Fifty listen while servers are killed: twenty-five to a job, the others to its workspace. */
const endsTheSame = async (place: Place) => {
  await using receiver = await startReceiver()
  await using lives = await startLives(place)
  const { current, killAndStart } = lives
  const { client, counts } = makeClient(current)
  const { transcriptions } = client
  const after = await placeNow(current())
  let last = ""
  const isOfOthers = (told: LiveEvent) => told.event !== "event" || told.data.id !== last
  const ofAll = many(() => hear(transcriptions.allEvents({ after }), (told) => !isOfOthers(told)))
  const { id: one = "" } = await current().upload({ callback_url: receiver.url })
  const ofOne = many(() => hear(transcriptions.events(one), () => false))
  await current().until(one, begun)
  await killAndStart()
  const { id: other = "" } = await current().upload({ callback_url: receiver.url })
  await current().until(other, begun)
  await killAndStart()
  await current().until(one, ended)
  await current().until(other, ended)
  // What happens to it comes after all else: nothing of the others came twice before.
  const marker = await current().upload({})
  last = marker.id ?? ""

  const [first, ...others] = await ofOne
  for (const heard of others) assert.deepStrictEqual(heard, first)
  assert.deepStrictEqual(toldOf(first ?? [], one), await historyOf(current(), one))
  assert.strictEqual(first?.at(-1)?.event, "end")

  const [firstOfAll, ...othersOfAll] = (await ofAll).map((heard) => heard.filter(isOfOthers))
  for (const heard of othersOfAll) assert.deepStrictEqual(heard, firstOfAll)
  for (const id of [one, other]) {
    assert.deepStrictEqual(toldOf(firstOfAll ?? [], id), await historyOf(current(), id))
  }
  assert.isAbove(counts.connected, 2 * times)
}

describe("fifty who listen to servers that are killed", () => {
  it("end with the same events, none missing and none twice, on SQLite", async () => {
    await using directory = await dataDirectory()
    await endsTheSame(inFile(directory.path))
  })

  it("end with the same events, none missing and none twice, on Postgres", async () => {
    await using directory = await dataDirectory()
    const postgres = await launch()
    try {
      await endsTheSame(onServer(directory.path, postgres.url))
    } finally {
      await postgres.remove()
    }
  })
})
