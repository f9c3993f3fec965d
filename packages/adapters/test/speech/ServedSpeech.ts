/**
 * Runs a server for programs that were written for OpenAI, on a free port. The server has the real
 * core, a worker, scripted engines and stores in memory.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import type { Recognised } from "@verbatim/core/ports"
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
  References
} from "effect"
import { afterAll, assert, beforeAll } from "vitest"

export const apiKey = "inference-key-for-tests-01234567"

/** The minutes that the workspace starts with. */
const minutes = 600

/**
 * A recording of two minutes in which two speakers say three sentences within the first four
 * seconds.
 */
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

/** Recordings and engines that the test controls. */
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

const compose = (listener: Server, common: Context.Context<Common>) =>
  Layer.mergeAll(server, worker({ name: "test" })).pipe(
    Layer.provideMerge(Layer.effectDiscard(found)),
    Layer.provideMerge(Services.layer),
    Layer.provide(health),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.fresh(Memory.layer),
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

/** Starts a server on stores in memory. */
const startServer = async () => {
  const ground = ManagedRuntime.make(shared)
  const common = await ground.context()
  const engines = Context.get(common, FakeEngines)
  let requests = 0
  const listener = createServer()
  listener.on("request", ({ url }) => {
    if (url === "/v1/audio/transcriptions") requests += 1
  })
  const runtime = ManagedRuntime.make(compose(listener, common))
  await runtime.context()
  const { port } = listener.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    return await fetch(`${baseUrl}${path}`, { headers })
  }
  await Effect.runPromise(engines.script({ transcribe: Effect.succeed(meeting) }))
  return {
    baseUrl: `${baseUrl}/v1`,
    engines,
    get,
    /** Returns how many calls the server has received. */
    requests: () => requests,
    /** Makes the recogniser wait, and returns a function that lets it continue. */
    hold: async () => {
      const gate = Deferred.makeUnsafe<void>()
      await Effect.runPromise(
        engines.script({ transcribe: Effect.as(Deferred.await(gate), meeting) })
      )
      return () => Effect.runPromise(Deferred.succeed(gate, undefined))
    },
    /** Returns how often the recogniser was called. */
    runs: async () => (await Effect.runPromise(engines.recognitions)).length,
    jobs: async () => {
      const page = (await (await get("/v1/transcriptions?limit=100")).json()) as {
        readonly data: ReadonlyArray<{ readonly id: string; readonly balance_minutes: string }>
      }
      return page.data
    },
    [Symbol.asyncDispose]: async () => {
      await runtime.dispose()
      await ground.dispose()
    }
  }
}

type Running = Awaited<ReturnType<typeof startServer>>

/** Starts a server that all tests of a file share. */
export const useServer = (): (() => Running) => {
  let running: Running | undefined
  beforeAll(async () => {
    running = await startServer()
  })
  afterAll(() => running?.[Symbol.asyncDispose]())
  return () => running ?? assert.fail("the server has not started")
}

/** Returns a recording made of these bytes. */
export const recording = (content = "a recording", name = "meeting.wav") =>
  new File([content], name, { type: "audio/wav" })
