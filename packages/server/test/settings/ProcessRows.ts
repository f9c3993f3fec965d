/** Looks for where a process listens, what it does, and how much at once. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { holdConnections, holdUploads } from "./Connections.ts"
import type { Look, Row } from "./Row.ts"
import { type RunName, settingsOf, valueOf } from "./Runs.ts"
import { keysOf, type Stage, settle, silence, transcriptionMax } from "./Stage.ts"

const originOf: Look = async (stage, run) => {
  const { address } = await stage.server(run)
  const { status } = await stage.health(run)
  return [new URL(address).hostname, status]
}

const isAt =
  (name: "healthPort" | "port"): Look =>
  async (stage, run) => {
    const { address } = await stage.server(run)
    const { status } = await stage.health(run)
    return [new URL(address).port === stage.neighbours[name], status]
  }

const work: Look = async (stage, run) => {
  const { transcriber, worker } = (await stage.health(run)).body
  return [worker === null, transcriber === null]
}

/** The answers on connections that are open at the same time, and then are closed. */
const answersOn = async (stage: Stage, run: RunName, addresses: ReadonlyArray<string>) => {
  const answers = await holdConnections(await stage.server(run), addresses)
  await settle(
    () =>
      stage.health(run).then(
        ({ status }) => status,
        () => undefined
      ),
    200
  )
  return answers
}

const fromOneAddress: Look = (stage, run) =>
  answersOn(stage, run, Array<string>(13).fill("127.0.0.3"))

const isSomeConnectionClosed: Look = async (stage, run) => {
  const addresses = ["127.0.0.4", "127.0.0.5", "127.0.0.6"]
  const answers = await answersOn(stage, run, Array<typeof addresses>(11).fill(addresses).flat())
  return answers.includes(undefined)
}

const besideUploads: Look = async (stage, run, wanted) => {
  const end = holdUploads(await stage.server(run), 7, keysOf(run).calling)
  const ask = async () => (await stage.ask(run, "/v1/transcriptions")).status
  const status = await settle(ask, wanted)
  end()
  await settle(ask, 200)
  return status
}

/** What the fourth is told who listens. */
const besideListeners: Look = async (stage, run) => {
  const server = await stage.server(run)
  const leaving = new AbortController()
  const listen = () =>
    server.request("/v1/transcriptions/events", { signal: leaving.signal }, keysOf(run).calling)
  await Promise.all([listen(), listen(), listen()])
  const fourth = await listen()
  const told = fourth.status === 200 ? 200 : ((await fourth.json()) as { detail: string }).detail
  leaving.abort()
  return told
}

/** It answers with a page, not with JSON. */
const isConsoleGone: Look = async (stage, run) => {
  const server = await stage.server(run)
  const { body, status } = await server.request("/console/", {}, keysOf(run).calling)
  await body?.cancel()
  return status === 404
}

const transcriptions: Look = async (stage, run, wanted) => {
  // Its minutes are looked at before anything else is paid.
  await stage.job(run)
  const { hearing, usual } = stage.neighbours.models
  const models = run === "unusual" ? hearing : usual
  models.shut()
  for (let count = 0; count < transcriptionMax + 2; count += 1) {
    await stage.submit(run, {}, silence(1))
  }
  const most = await settle(() => stage.running(run, "Transcribe"), wanted)
  models.open()
  await settle(() => stage.running(run, "Transcribe"), 0)
  return most
}

const downloads: Look = async (stage, run, wanted) => {
  const { host } = stage.neighbours
  host.shut()
  for (let count = 0; count < 8; count += 1) {
    await stage.submit(run, { url: `${host.origin}/${run}-${count}.mp3` })
  }
  const most = await settle(() => stage.running(run, "Fetch"), wanted)
  host.open()
  return most
}

/** Which page may read an answer. */
const toPages: Look = async (stage, run) => {
  const server = await stage.server(run)
  const origin = valueOf("CORS_ORIGINS")
  const answer = await server.request("/health", { headers: { origin } })
  return answer.headers.get("access-control-allow-origin")
}

const cached: Look = async (stage, run) => {
  const ready = async () => (await stage.health(run)).body.transcriber.status
  const status = await settle(ready, "ready")
  const { folder } = stage.neighbours
  const place = settingsOf(run, stage.neighbours).CACHE_DIR ?? join(folder, "not", "cache")
  return [status, existsSync(join(place, "models", "tailored", "encoder.onnx"))]
}

const inBuckets = { unusual: "unusual", usual: "usual" } as const

const metricsWith =
  (token?: string): Look =>
  async (stage, run) => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { address } = await stage.server(run)
    const { body, status } = await fetch(`${address}/metrics`, { headers })
    await body?.cancel()
    return status
  }
/** The line about a request, once it is there. */
const lineAbout = async (stage: Stage, run: RunName) => {
  await stage.ask(run, "/v1/presets")
  const { errors } = await stage.server(run)
  return errors.split("\n").findLast((line) => line.includes("GET /v1/presets"))
}

const form: Look = async (stage, run, wanted) =>
  settle(async () => {
    const line = (await lineAbout(stage, run)) ?? ""
    if (line.startsWith("{")) return "json"
    return line.startsWith("timestamp=") ? "logfmt" : line
  }, wanted)

const isProbeTold: Look = (stage, run, wanted) =>
  settle(async () => {
    await stage.health(run)
    return (await stage.server(run)).errors.includes("GET /health 200")
  }, wanted)

/** The rows of the first part, the data directory aside. */
export const processRows = {
  HOST: {
    look: originOf,
    ...inBuckets,
    expected: [valueOf("HOST"), 200],
    otherwise: ["127.0.0.1", 200]
  },
  HEALTH_PORT: {
    look: isAt("healthPort"),
    unusual: "working",
    expected: [true, 200],
    usual: "usual",
    otherwise: [false, 200]
  },
  PORT: { look: isAt("port"), ...inBuckets, expected: [true, 200], otherwise: [false, 200] },
  ROLES: {
    look: work,
    unusual: "answering",
    expected: [true, true],
    usual: "usual",
    otherwise: [false, false]
  },
  CONNECTIONS: { look: isSomeConnectionClosed, ...inBuckets, expected: true, otherwise: false },
  CONNECTIONS_PER_ADDRESS: {
    look: fromOneAddress,
    ...inBuckets,
    expected: [...Array<string>(12).fill("200"), "429"],
    otherwise: Array<string>(13).fill("200")
  },
  CORS_ORIGINS: {
    look: toPages,
    ...inBuckets,
    expected: valueOf("CORS_ORIGINS"),
    otherwise: null
  },
  REQUESTS_PER_KEY: { look: besideUploads, ...inBuckets, expected: 429, otherwise: 200 },
  LISTENERS: {
    look: besideListeners,
    unusual: "answering",
    expected: "Too many listeners",
    usual: "usual",
    otherwise: 200
  },
  LISTENERS_PER_WORKSPACE: {
    look: besideListeners,
    unusual: "local",
    expected: "Too many listeners of the workspace at the same time",
    usual: "usual",
    otherwise: 200
  },
  LISTENERS_PER_KEY: {
    look: besideListeners,
    ...inBuckets,
    expected: "Too many listeners of the key at the same time",
    otherwise: 200
  },
  TRANSCRIBE_CONCURRENCY: {
    look: transcriptions,
    ...inBuckets,
    expected: transcriptionMax + 1,
    otherwise: transcriptionMax
  },
  ORIGIN_CONCURRENCY: { look: downloads, ...inBuckets, expected: 6, otherwise: 4 },
  CONSOLE: { look: isConsoleGone, ...inBuckets, expected: true, otherwise: false },
  METRICS: {
    look: metricsWith(valueOf("METRICS_TOKEN")),
    ...inBuckets,
    expected: 200,
    otherwise: 404
  },
  METRICS_TOKEN: { look: metricsWith(), ...inBuckets, expected: 401, otherwise: 404 },
  LOG_FORMAT: { look: form, ...inBuckets, expected: "logfmt", otherwise: "json" },
  LOG_LEVEL: { look: isProbeTold, ...inBuckets, expected: true, otherwise: false },
  CACHE_DIR: {
    look: cached,
    unusual: "fetching",
    expected: ["ready", true],
    usual: "local",
    otherwise: ["ready", false]
  }
} as const satisfies Readonly<Record<string, Row>>
