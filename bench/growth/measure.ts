/**
 * Compares latencies in a small store and a grown store, on SQLite and Postgres. Only filtered
 * preset lists, which read all presets, should take longer in the grown store.
 */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { launch } from "@verbatim/testkit/servers"
import { ourServer, startChild } from "../Child.ts"
import { makeDatabase } from "../jobs/Databases.ts"
import { median, type Rounds, ratio } from "../Rounds.ts"
import { type Database, multiply, postgres, settle, sqlite } from "./Database.ts"
import { keys, longSeconds, makeAsk, measureAll, type Planted, plant } from "./Questions.ts"

/** The numbers of jobs, presets, versions and segments in a grown store. */
export interface GrowthOptions {
  readonly jobs: number
  readonly presets: number
  /** The number of versions of one preset, and the number of moves of its label. */
  readonly versions: number
}

/** The number of segments in the long transcript. */
const segmentCount = 100_000

const sentences = ["The harbour opens at nine.", "Then we meet at ten."]

const segmentsOf = (count: number, seconds: number) =>
  Array.from({ length: count }, (_, index) => ({
    start: (index * seconds) / count,
    end: ((index + 1) * seconds) / count,
    text: sentences[index % sentences.length]
  }))

/** An engine that returns its result immediately. */
const startEngine = async () => {
  const short = JSON.stringify({ language: "en", segments: segmentsOf(2, 5) })
  const long = JSON.stringify({ language: "en", segments: segmentsOf(segmentCount, longSeconds) })
  const server = createServer(async (request, response) => {
    const { byteLength } = await buffer(request)
    response.setHeader("content-type", "application/json")
    response.end(byteLength > 1_000_000 ? long : short)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, [Symbol.dispose]: () => server.close() }
}

/** A database, and the data directory and the engine for its server. */
interface Store {
  readonly database: Database
  readonly directory: string
  readonly engineUrl: string
}

const start = ({ database, directory, engineUrl }: Store) =>
  startChild(
    ourServer({
      directory,
      databaseUrl: database.url,
      key: keys.management,
      environment: {
        VERBATIM_ROLES: "http,worker",
        VERBATIM_BOOTSTRAP_INFERENCE_KEY: keys.inference,
        VERBATIM_BOOTSTRAP_MINUTES: "10000000",
        // A time limit that is generous enough for a busy machine.
        VERBATIM_DATABASE_STATEMENT_SECONDS: "20",
        VERBATIM_TRANSCRIBER: "openai",
        VERBATIM_OPENAI_BASE_URL: engineUrl
      }
    })
  )

const first = async ({ run }: Database, statement: string): Promise<number> =>
  Number(Object.values((await run(statement))[0] ?? {})[0])

/** Fills a new store, and prints the size of a job. */
const fill = async (store: Store, options: GrowthOptions): Promise<Planted> => {
  const { database } = store
  const startedAt = performance.now()
  await using server = await start(store)
  const planted = await plant(makeAsk(server.address), options)
  await server[Symbol.asyncDispose]()
  const before = await first(database, database.size)
  await multiply(database, { id: planted.shortId, count: options.jobs })
  await settle(database)
  const bytes = ((await first(database, database.size)) - before) / options.jobs
  const peaks = await first(
    database,
    "SELECT MIN(LENGTH(peaks)) FROM verbatim_transcript_chunks WHERE peaks IS NOT NULL"
  )
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(
    `  ${options.jobs} jobs of ${bytes.toFixed(0)} bytes each (${peaks} for peaks), ` +
      `${options.presets} presets, ${options.versions} versions, in ${seconds.toFixed(0)} s`
  )
  return planted
}

/** A store, and the jobs created in it. */
type Filled = Store & { readonly planted: Planted }

/** Measures the grown store and the small store alternately. */
const compare = async ({
  grown,
  small
}: {
  readonly grown: Filled
  readonly small: Filled
}): Promise<ReadonlyMap<string, Rounds<number>>> => {
  await using peer = await start(small)
  await using ours = await start(grown)
  return await measureAll({
    ours: { ask: makeAsk(ours.address), planted: grown.planted },
    peer: { ask: makeAsk(peer.address), planted: small.planted }
  })
}

const print = (compared: Awaited<ReturnType<typeof compare>>): void => {
  const line = (name: string, cells: ReadonlyArray<string>) =>
    console.log(`  ${name.padEnd(28)}${cells.map((cell) => cell.padStart(10)).join("")}`)
  line("ms, medians", ["small", "grown", "ratio"])
  for (const [name, rounds] of compared) {
    const [small, grown] = [rounds.peer, rounds.ours].map((each) => median(each).toFixed(1))
    line(name, [small ?? "", grown ?? "", ratio(rounds).toFixed(2)])
  }
}

/**
 * The size of the small store, which fills one page of each list, so that both stores return
 * equally large responses.
 */
const smallCount = 100

/** Measures the stores in one kind of database, and prints the durations. */
const measureStores = async (
  stores: { readonly grown: Store; readonly small: Store },
  options: GrowthOptions
): Promise<void> => {
  const least = { jobs: smallCount, presets: smallCount, versions: smallCount }
  const small = { ...stores.small, planted: await fill(stores.small, least) }
  const grown = { ...stores.grown, planted: await fill(stores.grown, options) }
  print(await compare({ small, grown }))
}

/** Compares small and grown stores in both databases, and prints the durations. */
export const measureGrowth = async (options: GrowthOptions): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "verbatim-growth-"))
  const server = await launch({ isDurable: true })
  using engine = await startEngine()
  const kinds = {
    SQLite: async (name: string) => sqlite(join(folder, `${name}.db`)),
    Postgres: async (name: string) =>
      postgres(await makeDatabase(server.url, { name, side: "ours" }))
  }
  try {
    for (const [kind, make] of Object.entries(kinds)) {
      console.log(`${kind}:`)
      const store = async (name: string): Promise<Store> => ({
        database: await make(name),
        directory: join(folder, `${kind}-${name}`),
        engineUrl: engine.url
      })
      await measureStores({ small: await store("small"), grown: await store("grown") }, options)
    }
  } finally {
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
