/**
 * A fuzz of a whole server: a real process, its worker, its store on disk. Requests come by their
 * number, some at a time; what is judged is each answer, and what the process holds in the end.
 */
import { readdir, readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import * as fc from "fast-check"
import { startModels } from "../Models.ts"
import { startReceiver } from "../Receiver.ts"
import { startMediaHost, wav } from "../Recordings.ts"
import {
  dataDirectory,
  inferenceKey,
  managementKey,
  operatorKey,
  ServerProcess
} from "../ServerProcess.ts"
import { exchange } from "./Exchange.ts"
import { type Description, routesOf } from "./Operations.ts"
import { type Kept, requestsOf, slugs, uploads } from "./Requests.ts"
import { strings } from "./Values.ts"
import { answerOf, judge } from "./Verdict.ts"

/** What is asked for. */
export interface Wish {
  readonly requests: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** What was found. */
export interface Outcome {
  /** The first of them, each with the number that shows it again. */
  readonly wrong: ReadonlyArray<string>
  readonly wrongCount: number
  /** Answers by operation and status; `-` where none came, which broken bytes may deserve. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Descriptors and memory of the server: after the first requests, and when all had ended. */
  readonly before: Held
  readonly after: Held
}

interface Held {
  readonly descriptors: number
  readonly bytes: number
}

/** Requests under way at once. */
const laneCount = 16

/** Requests after which the server has all that it keeps. */
const warmCount = 300

/** How many of each kind are told. */
const toldMax = 4

/** How long the server may take to let go of what has ended. */
const settleMillisMax = 60_000

const held = async ({ child }: ServerProcess): Promise<Held> => {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8")
  const names = await readdir(`/proc/${child.pid}/fd`)
  return {
    descriptors: names.length,
    bytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }
}

/** What is held once work and connections have ended. */
const settled = async (server: ServerProcess, descriptorMax: number): Promise<Held> => {
  const until = Date.now() + settleMillisMax
  for (;;) {
    const now = await held(server)
    if (now.descriptors <= descriptorMax || Date.now() > until) return now
    await sleep(250)
  }
}

/** A second of a tone. */
const tone = wav(Int16Array.from({ length: 16_000 }, (_, at) => 8_000 * Math.sin(at / 6)))

/** Jobs that requests are about. */
const keptMax = 8

/** Jobs that ended well and badly, so that reads find something. */
const prepare = async (server: ServerProcess, url: string): Promise<Array<string>> => {
  const ids: Array<string> = []
  for (let number = 0; number < keptMax; number += 1) {
    const bytes = number % 2 === 0 ? tone : Buffer.from("no sound")
    const form = new FormData()
    form.set("callback_url", url)
    form.set("file", new Blob([new Uint8Array(bytes)]), "a.wav")
    const { id = "" } = await server.json("/v1/transcribe", { method: "POST", body: form })
    ids.push(id)
    await server.until(id, ({ webhook_status }) => webhook_status !== "PENDING")
  }
  return ids
}

/** Tenants, and keys that nobody uses: of the first tenant, and of the bearers' workspace. */
const prepareTenants = async (server: ServerProcess): Promise<Omit<Kept, "job">> => {
  const headers = { "content-type": "application/json" }
  const make = async (path: string, key: string, wish: object): Promise<ReadonlyArray<string>> => {
    const ids: Array<string> = []
    for (let number = 0; number < keptMax; number += 1) {
      const body = JSON.stringify(wish)
      const answer = await server.request(path, { method: "POST", headers, body }, key)
      const { data } = (await answer.json()) as { readonly data: { readonly id: string } }
      ids.push(data.id)
    }
    return ids
  }
  const tenant = await make("/v1/workspaces", operatorKey, { name: "tenant" })
  const order = { kind: "inference" }
  return {
    tenant,
    own: await make("/v1/keys", managementKey, order),
    other: await make(`/v1/workspaces/${tenant[0]}/keys`, operatorKey, order)
  }
}

/** Presets with two versions and a label, so that something is found under their names. */
const preparePresets = async (server: ServerProcess): Promise<void> => {
  const send = async (method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json" }
    const wish = { method, headers, body: JSON.stringify(body) }
    const { ok, status } = await server.request(`/v1/presets/${path}`, wish, managementKey)
    if (!ok) throw new Error(`${method} ${path}: ${status}`)
  }
  for (const slug of slugs) {
    for (const temperature of [0, 1]) {
      await send("POST", `${slug}/responses`, { model: "any/model", temperature })
    }
    await send("PUT", `${slug}/labels/production`, { version: 1 })
  }
}

const some = (...values: ReadonlyArray<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: strings })

const idIn = (body: string): string | undefined => /"id":"([0-9a-f-]{36})"/.exec(body)?.[1]

/** Fuzzes a new server. */
export const run = async ({ log, requests, seed }: Wish): Promise<Outcome> => {
  await using directory = await dataDirectory()
  await using models = await startModels()
  await using receiver = await startReceiver()
  await using media = await startMediaHost("a.wav", tone)
  await using server = await ServerProcess.start(directory.path, {
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_OPENAI_BASE_URL: models.url,
    VERBATIM_OPENAI_API_KEY: "sk-test",
    VERBATIM_BOOTSTRAP_MINUTES: "1000000",
    VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey
  })
  server.child.stderr?.resume()
  const port = Number(new URL(server.address).port)
  const description = (await (await server.request("/openapi.json")).json()) as Description
  const routes = routesOf(description)
  const request = requestsOf(
    routes,
    {
      schemas: description.components.schemas,
      likely: ["file", "url"],
      keys: { management: managementKey, inference: inferenceKey, operator: operatorKey },
      named: {
        file: uploads(tone),
        url: some(media.url, `${media.url}x`, "http://10.0.0.1/a.wav", "ftp://a/b.wav"),
        callback_url: some(receiver.url, "http://[::1]/", "https://localhost/x"),
        language: some("en", "de", "xx", ""),
        summary: some("brief", "medium", "long", "all"),
        modifier: some("plain_text", "srt", "word_json", "none"),
        template: some(""),
        version: some(1, 2, 3),
        from: some(1, 2, 3),
        to: some(1, 2, 3),
        limit: some(1, 10, 100),
        offset: some(0, 1, 50),
        wait: some(0, 1),
        model: some("whisper-1")
      }
    },
    seed
  )
  const ids = await prepare(server, receiver.url)
  await preparePresets(server)
  const kept: Kept = { job: ids, ...(await prepareTenants(server)) }
  const answers: Record<string, Record<string, number>> = {}
  const wrong: Array<string> = []
  const kinds = new Map<string, number>()
  let wrongCount = 0
  const ask = async (number: number) => {
    const one = request(number, kept)
    const exchanged = await exchange(port, one)
    const answer = answerOf(exchanged.received)
    // Jobs are deleted too: the latest take their places.
    const id = one.operation === "POST /v1/transcribe" ? idIn(answer?.body ?? "") : undefined
    if (id !== undefined) ids[number % keptMax] = id
    const status = answer?.status ?? "-"
    const counts = answers[one.operation] ?? {}
    answers[one.operation] = { ...counts, [status]: (counts[status] ?? 0) + 1 }
    const found = judge(one, exchanged)
    if (found === undefined) return
    wrongCount += 1
    const sent = JSON.stringify(Buffer.from(one.bytes.subarray(0, 600)).toString("latin1"))
    const kind = found.slice(0, found.search(/[:,]|$/))
    const alike = (kinds.get(kind) ?? 0) + 1
    kinds.set(kind, alike)
    if (alike <= toldMax) wrong.push(`${number}: ${found}\n  ${sent}`)
  }
  const numbers = Array.from({ length: requests }).keys()
  let before: Held | undefined
  const lane = async () => {
    for (const number of numbers) {
      await ask(number)
      if (number === warmCount) before = await held(server)
      if (number % 10_000 !== 9_999) continue
      const { bytes } = await held(server)
      log(`${number + 1} requests, ${wrongCount} wrong answers, ${Math.round(bytes / 1e6)} MB`)
    }
  }
  await Promise.all(Array.from({ length: laneCount }, lane))
  before ??= await held(server)
  const after = await settled(server, before.descriptors)
  return { wrong, wrongCount, answers, before, after }
}
