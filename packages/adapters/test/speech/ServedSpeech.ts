/**
 * Servers for programs written for OpenAI, each on a free port, with the real core, a worker and
 * scripted engines. If a test provides a database, the servers share it.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHttpServer } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { layer as postgres } from "@verbatim/adapters/postgres"
import { layer as sqlite } from "@verbatim/adapters/sqlite"
import type { Recognised, Stores } from "@verbatim/core/ports"
import { Services, Workspaces } from "@verbatim/core/services"
import { platform, worker } from "@verbatim/embed/effect"
import { Health, layer as server } from "@verbatim/http"
import { FakeEngines, FakeMedia, FakeWebhookSender } from "@verbatim/testkit/fakes"
import {
  Context,
  Deferred,
  Effect,
  Layer,
  ManagedRuntime,
  Option,
  Redacted,
  References,
  Scope
} from "effect"
import { afterAll, assert, beforeAll } from "vitest"
import { newSchema } from "../postgres/TemporarySchema.ts"

/** The caller's key. */
export const apiKey = "inference-key-for-tests-01234567"

/** The workspace's initial minutes. */
const minutes = 600

/** A recording of two minutes in which two speakers say three sentences within four seconds. */
const meeting: Recognised = {
  engine: "fake",
  language: "en",
  segments: [
    {
      startMillis: 500,
      endMillis: 2_000,
      speaker: "Ada",
      text: "Hello there.",
      words: [
        { startMillis: 500, endMillis: 1_000, text: "Hello" },
        { startMillis: 1_100, endMillis: 2_000, text: "there." }
      ]
    },
    { startMillis: 2_500, endMillis: 3_000, speaker: "Ben", text: "Good morning." },
    { startMillis: 3_100, endMillis: 4_000, speaker: "Ben", text: "Shall we?" }
  ]
}

/** Recordings and engines that several servers share. */
const shared = Layer.mergeAll(FakeEngines.layer, FakeMedia.layer, FakeWebhookSender.layer)

const found = Effect.flatMap(Workspaces, (workspaces) =>
  workspaces.found({
    minutes,
    keys: [{ kind: "inference", token: Option.some(Redacted.make(apiKey)) }]
  })
)

const health = Layer.succeed(Health, {
  report: Effect.succeed({
    isStoreUp: true,
    media: { _tag: "Ours" as const },
    readiness: Option.some({ _tag: "Ready" as const, engine: "fake" }),
    activity: Option.none()
  })
})

type Common = Layer.Success<typeof shared>

const compose = <E>(
  listener: Server,
  { common, stores }: { common: Context.Context<Common>; stores: Layer.Layer<Stores, E> }
) =>
  Layer.mergeAll(server, worker({ name: "test" })).pipe(
    Layer.provideMerge(Layer.effectDiscard(found)),
    Layer.provideMerge(Services.layer),
    Layer.provide(health),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.fresh(stores),
        Layer.succeedContext(common),
        platform,
        Layer.succeed(References.MinimumLogLevel, "Error")
      )
    ),
    Layer.provide(
      NodeHttpServer.layer(() => listener, {
        port: 0,
        host: "127.0.0.1",
        gracefulShutdownTimeout: 100
      })
    ),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )

/**
 * Starts the given number of servers over the same stores. Stores in memory belong to one server.
 */
export const startServers = async <E = never>(
  count: number,
  stores: Layer.Layer<Stores, E> = Memory.layer as Layer.Layer<Stores, never>
) => {
  const ground = ManagedRuntime.make(shared)
  const common = await ground.context()
  const engines = Context.get(common, FakeEngines)
  let requests = 0
  const start = async () => {
    const listener = createServer()
    listener.on("request", ({ url }) => {
      if (url === "/v1/audio/transcriptions") requests += 1
    })
    const runtime = ManagedRuntime.make(compose(listener, { common, stores }))
    await runtime.context()
    const { port } = listener.address() as AddressInfo
    return { runtime, baseUrl: `http://127.0.0.1:${port}` }
  }
  const servers: Array<Awaited<ReturnType<typeof start>>> = []
  for (let index = 0; index < count; index += 1) servers.push(await start())
  const [first] = servers
  if (first === undefined) throw new Error("no server")
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    return await fetch(`${first.baseUrl}${path}`, { headers })
  }
  await Effect.runPromise(engines.script({ transcribe: Effect.succeed(meeting) }))
  return {
    baseUrls: servers.map(({ baseUrl }) => `${baseUrl}/v1`),
    baseUrl: `${first.baseUrl}/v1`,
    engines,
    get,
    run: first.runtime.runPromise,
    /** Returns the number of calls that have arrived. */
    requests: () => requests,
    /** Makes the recogniser wait until the returned gate opens. */
    hold: async () => {
      const gate = Deferred.makeUnsafe<void>()
      await Effect.runPromise(
        engines.script({ transcribe: Effect.as(Deferred.await(gate), meeting) })
      )
      return () => Effect.runPromise(Deferred.succeed(gate, undefined))
    },
    /** Returns the number of calls to the recogniser. */
    runs: async () => (await Effect.runPromise(engines.recognitions)).length,
    jobs: async () => {
      const page = (await (await get("/v1/transcriptions?limit=100")).json()) as {
        readonly data: ReadonlyArray<{ readonly id: string; readonly balance_minutes: string }>
      }
      return page.data
    },
    [Symbol.asyncDispose]: async () => {
      for (const { runtime } of servers) await runtime.dispose()
      await ground.dispose()
    }
  }
}

/** Running servers. */
export type Servers = Awaited<ReturnType<typeof startServers>>

/** Starts one server for all tests of a file. */
export const useServer = (): (() => Servers) => {
  let servers: Servers | undefined
  beforeAll(async () => {
    servers = await startServers(1)
  })
  afterAll(() => servers?.[Symbol.asyncDispose]())
  return () => servers ?? assert.fail("the server has not started")
}

/** Waits until a condition holds. If the condition never holds, the test times out and fails. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await is())) await new Promise((wake) => setTimeout(wake, 10))
}

/** Makes a recording that consists of the given bytes. */
export const recording = (content = "a recording", name = "meeting.wav") =>
  new File([content], name, { type: "audio/wav" })

type UseStores = (use: (stores: Layer.Layer<Stores, unknown>) => Promise<void>) => Promise<void>

const withSqlite: UseStores = async (use) => {
  const directory = mkdtempSync(join(tmpdir(), "verbatim-speech-"))
  try {
    await use(sqlite({ filename: join(directory, "verbatim.db") }))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const withPostgres: UseStores = async (use) => {
  const scope = Scope.makeUnsafe()
  const { schema, url } = await Effect.runPromise(Scope.provide(newSchema, scope))
  await use(postgres({ url: Redacted.make(Redacted.value(url)), schema }))
}

/** Empty databases that several servers can share. */
export const backends = [
  ["SQLite", withSqlite],
  ["Postgres", withPostgres]
] as const
