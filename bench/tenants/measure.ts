/**
 * What one workspace at its limits does to the others: a hundred of them send fifty recordings
 * each to three processes over one Postgres, turn by turn with one of them behaving and with the
 * same one sending ten times what it may. What counts is the ratio of the others' 99th percentile.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { launch } from "@verbatim/testkit/servers"
import { request } from "undici"
import { median } from "../Rounds.ts"
import { startServer } from "../ServerChild.ts"
import { startArrivals } from "./Arrivals.ts"
import { makeAgent, type Tenant, upload } from "./Tenant.ts"

const operatorKey = "vbo_4f1d9a7c2e8b60351f7ad2c94be80613a5"
const tenantCount = 100
const jobCount = 50
const processCount = 3

/** Between two recordings of a workspace: together, about a third of what two cores do. */
const paceMillis = 1_000

/** What the one workspace may, and how much more it sends. */
const limits = { requests_per_second: 10, unfinished_jobs: 20 }
const excess = 10

const connectionsMax = 200

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const operate = async (
  address: string,
  call: { method: "POST" | "PATCH"; path: string; json: unknown }
) => {
  const { body, statusCode } = await request(`${address}/v1${call.path}`, {
    method: call.method,
    headers: { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" },
    body: JSON.stringify(call.json)
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${call.path}: ${statusCode} ${text}`)
  return JSON.parse(text).data
}

/** Makes a workspace with a key and credit, which sends to one of the processes. */
const makeTenant = async (address: string, number: number) => {
  const { id } = await operate(address, {
    method: "POST",
    path: "/workspaces",
    json: { name: `tenant ${number}` }
  })
  const path = `/workspaces/${id}`
  await operate(address, { method: "POST", path: `${path}/credits`, json: { minutes: 1e6 } })
  const { token } = await operate(address, {
    method: "POST",
    path: `${path}/keys`,
    json: { kind: "inference" }
  })
  return { id, tenant: { address, key: String(token) } }
}

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN

interface Scene {
  readonly arrivals: Awaited<ReturnType<typeof startArrivals>>
  readonly agent: ReturnType<typeof makeAgent>
  readonly nextId: () => string
}

/** Sends its recordings one after the other, and returns how long each took to its webhook. */
const behave = async (tenant: Tenant, { agent, arrivals, nextId }: Scene, offset: number) => {
  await sleep(offset)
  const times: Array<Promise<number>> = []
  for (let sent = 0; sent < jobCount; sent += 1) {
    const id = nextId()
    const startedAt = performance.now()
    const arrival = arrivals.arrival(id)
    times.push(arrival.then((at) => at - startedAt))
    const status = await upload(tenant, { agent, callback_url: arrivals.url, callback_id: id })
    if (status !== 200) throw new Error(`a workspace within its limits was answered ${status}`)
    await sleep(Math.max(0, paceMillis - (performance.now() - startedAt)))
  }
  return Promise.all(times)
}

/** Sends ten times what it may until it is told to stop, and counts the answers by status. */
const exceed = (tenant: Tenant, { agent, arrivals, nextId }: Scene) => {
  const counts: Record<string, number> = {}
  const sending = new Set<Promise<void>>()
  const send = async () => {
    const id = nextId()
    const status = await upload(tenant, { agent, callback_url: arrivals.url, callback_id: id })
    counts[status] = (counts[status] ?? 0) + 1
  }
  const timer = setInterval(
    () => {
      const sent = send().finally(() => sending.delete(sent))
      sending.add(sent)
    },
    1_000 / (limits.requests_per_second * excess)
  )
  return async () => {
    clearInterval(timer)
    await Promise.all(sending)
    return counts
  }
}

const rounds = async (
  { one, others }: { one: Tenant; others: ReadonlyArray<Tenant> },
  { roundCount, scene }: { roundCount: number; scene: Scene }
) => {
  const ratios: Array<number> = []
  const offsetOf = (index: number) => (index * paceMillis) / tenantCount
  const measure = (tenants: ReadonlyArray<Tenant>) =>
    Promise.all(tenants.map((tenant, index) => behave(tenant, scene, offsetOf(index))))
  for (let round = 0; round < roundCount; round += 1) {
    const calm = (await measure([...others, one])).slice(0, -1).flat()
    const stop = exceed(one, scene)
    const beside = (await measure(others)).flat()
    const counts = await stop()
    const [before, during] = [percentile(calm, 0.99), percentile(beside, 0.99)]
    ratios.push(during / before)
    console.log(
      `p99 ${before.toFixed(0)} ms, beside one at its limits ${during.toFixed(0)} ms, ` +
        `p50 ${median(calm).toFixed(0)} and ${median(beside).toFixed(0)} ms; ` +
        `it was answered ${JSON.stringify(counts)}`
    )
  }
  console.log(`The others' p99 moves by a factor of ${median(ratios).toFixed(2)}`)
}

/** Prints the 99th percentiles and the median of their ratios. */
export const measureTenants = async ({ roundCount }: { readonly roundCount: number }) => {
  const directory = mkdtempSync(join(tmpdir(), "verbatim-tenants-"))
  const database = await launch({ isDurable: true, connectionsMax })
  try {
    await using servers = new AsyncDisposableStack()
    using arrivals = await startArrivals()
    const command = {
      args: [
        "--conditions=@verbatim/source",
        "--min-semi-space-size=16",
        "--max-semi-space-size=16",
        fileURLToPath(new URL("server.ts", import.meta.url))
      ],
      environment: {
        VERBATIM_PORT: "0",
        VERBATIM_DATA_DIR: directory,
        VERBATIM_DATABASE_URL: database.url,
        VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey,
        VERBATIM_ALLOW_NETWORKS: "127.0.0.0/8",
        VERBATIM_TRANSCRIBE_CONCURRENCY: "32",
        VERBATIM_ORIGIN_CONCURRENCY: "64"
      }
    }
    const addresses: Array<string> = []
    for (let number = 0; number < processCount; number += 1) {
      addresses.push(servers.use(await startServer(command)).address)
    }
    const made: Array<Awaited<ReturnType<typeof makeTenant>>> = []
    for (let number = 0; number < tenantCount; number += 1) {
      made.push(await makeTenant(addresses[number % processCount] ?? "", number))
    }
    const [first, ...rest] = made
    if (first === undefined) return
    await operate(first.tenant.address, {
      method: "PATCH",
      path: `/workspaces/${first.id}`,
      json: { limits }
    })
    let last = 0
    const nextId = () => {
      last += 1
      return `job-${last}`
    }
    const scene = { arrivals, agent: makeAgent(), nextId }
    const others = rest.map(({ tenant }) => tenant)
    await rounds({ one: first.tenant, others }, { roundCount, scene })
  } finally {
    await database.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}
