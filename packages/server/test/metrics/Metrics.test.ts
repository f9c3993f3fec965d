/** Tests the metrics of a real server after real traffic, with a parser for Prometheus's format. */
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable, type MetricRow, typeOf } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import { tone, wav } from "@verbatim/testkit/samples"
import parse from "parse-prometheus-text-format"
import { assert, describe, it } from "vitest"
import { runtimeTable } from "#src/telemetry/RuntimeMetrics"
import { startModels } from "../Models.ts"
import { startReceiver } from "../Receiver.ts"
import { dataDirectory, inferenceKey, managementKey, ServerProcess } from "../ServerProcess.ts"

type Labels = Readonly<Record<string, string>>

/** A line on a metrics page. */
interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

interface Page {
  readonly heads: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly help: string
  }>
  readonly samples: ReadonlyArray<Sample>
}

/** Parses a page. Throws an error if the line is malformed. */
const readPage = (text: string): Page => {
  const families = parse(text.replaceAll(/^(# TYPE \S+) histogram$/gm, "$1 untyped"))
  const types = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type = ""]) => [name, type])
  )
  return {
    heads: families.flatMap(({ help, name }) => {
      const type = types.get(name)
      return type === undefined ? [] : [{ name, help, type }]
    }),
    samples: families.flatMap(({ metrics, name }) =>
      metrics.map(({ labels = {}, value }) => ({ name, labels, value: Number(value) }))
    )
  }
}

const rows: ReadonlyMap<string, MetricRow> = new Map(
  [
    ...Object.values(coreTable),
    ...Object.values(httpTable),
    ...Object.values(sqlTable),
    ...Object.values(runtimeTable)
  ].map((row) => [row.name, row])
)

const rowOf = (name: string): MetricRow | undefined =>
  rows.get(name) ?? rows.get(name.replace(/_(?:bucket|sum|count)$/, ""))

/** Lists the labels and values of a sample that the table does not list. */
const faultsOf = ({ labels, name, value }: Sample): ReadonlyArray<string> => {
  const row = rowOf(name)
  if (row === undefined) return [`${name} is not in the table`]
  if (!Number.isFinite(value)) return [`${name} is ${value}`]
  const isHistogram = typeOf(row) === "histogram"
  if (isHistogram === (name === row.name)) return [`${name} is not shown as a ${typeOf(row)}`]
  const { le, ...own } = labels
  const faults = Object.entries(own).flatMap(([label, value]) =>
    row.labels[label]?.includes(value) === true ? [] : [`${name} has ${label} ${value}`]
  )
  const names = Object.keys(own).sort().join()
  if (names !== Object.keys(row.labels).sort().join()) faults.push(`${name} has labels ${names}`)
  if ((le !== undefined) !== name.endsWith("_bucket")) faults.push(`${name} has le ${le}`)
  return faults
}

const withoutLe = ({ labels: { le: _, ...labels } }: Sample): string => JSON.stringify(labels)

/** Checks the cumulative buckets of each series of a histogram. */
const bucketFaults = (name: string, { samples }: Page): ReadonlyArray<string> => {
  const counts = samples.filter((sample) => sample.name === `${name}_count`)
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    withoutLe
  )
  return counts.flatMap((count) => {
    const inside = (buckets.get(withoutLe(count)) ?? [])
      .toSorted((one, other) => Number(one.labels.le) - Number(other.labels.le))
      .toSorted(
        (one, other) => Number(one.labels.le === "+Inf") - Number(other.labels.le === "+Inf")
      )
      .map(({ value }) => value)
    const isGrowing = inside.every((each, index) => each >= (inside[index - 1] ?? 0))
    const isWhole = inside.length === (rows.get(name)?.buckets?.length ?? 0) + 1
    return isGrowing && isWhole && inside.at(-1) === count.value ? [] : [`${name}: ${inside}`]
  })
}

/** Lists all differences between the metrics page and the tables. */
const findFaults = (page: Page): ReadonlyArray<string> => [
  ...page.heads.flatMap(({ help, name, type }) => {
    const row = rows.get(name)
    return row !== undefined && typeOf(row) === type && row.help === help
      ? []
      : [`${name} is a ${type}: ${help}`]
  }),
  ...page.samples.flatMap(faultsOf),
  ...page.heads.flatMap(({ name, type }) => (type === "histogram" ? bucketFaults(name, page) : []))
]

/**
 * Adds up the values of a metric's series that have these labels. For a histogram, adds up its
 * counts.
 */
const sumOf = ({ samples }: Page, row: MetricRow, labels: Labels = {}) => {
  const { name } = row
  const shown = typeOf(row) === "histogram" ? `${name}_count` : name
  const found = samples.filter(
    (sample) =>
      sample.name === shown &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  )
  if (found.length === 0) throw new Error(`there is no ${shown} ${JSON.stringify(labels)}`)
  return found.reduce((sum, { value }) => sum + value, 0)
}

const token = "a-token-of-the-tests-0123456789"

const read = async (server: ServerProcess, key = token) => {
  const response = await server.request("/metrics", {}, key)
  const text = await response.text()
  return { response, text, page: readPage(response.ok ? text : "") }
}

/** Checks the process metrics on a page, and that a later page shows more CPU time. */
const checkRuntime = (page: Page, later: Page) => {
  const { cpu, delayMax, delayP99, heapTotal, heapUsed, memory, start } = runtimeTable
  const falling = [memory, heapTotal, heapUsed].map((row) => sumOf(page, row))
  assert.deepStrictEqual(
    falling,
    falling.toSorted((one, other) => other - one)
  )
  assert.isAbove(sumOf(page, heapUsed), 1e7)
  assert.isAtMost(sumOf(page, delayP99), sumOf(page, delayMax))
  assert.approximately(sumOf(page, start), Date.now() / 1e3, 600)
  assert.isAbove(sumOf(later, cpu), sumOf(page, cpu))
}

const audio = { channels: 1, sampleRate: 8_000, sampleCount: 8_000 * 61 }

/** A one-minute recording, long enough for a summary. */
const minute = () => new File([new Uint8Array(wav(audio, tone(audio)))], "a.wav")

/**
 * Runs a job that succeeds and a job that fails, and sends requests that are refused. Returns the
 * ids of both jobs.
 */
const makeTraffic = async (server: ServerProcess, callback: string) => {
  const parameters = { callback_url: callback, callback_id: "callback-77" }
  const accepted = await server.upload({ ...parameters, summary: "brief" }, minute())
  const done = await server.until(
    accepted.id ?? "",
    ({ webhook_status }) => webhook_status === "DELIVERED"
  )
  assert.strictEqual(done.summary_status, "COMPLETED")
  const noise = new File([new Uint8Array(1_000)], "noise-of-a-tenant.mp3")
  const bad = await server.upload({}, noise)
  await server.until(bad.id ?? "", ({ status }) => status === "FAILED")
  await server.request("/v1/presets/slug-of-a-tenant")
  await server.request("/v1/nowhere/path-of-a-tenant?key=query-of-a-tenant")
  await server.request("/v1/presets", {}, "wrong-key-of-somebody")
  return [accepted.id ?? "", bad.id ?? ""]
}

describe("a server's metrics", () => {
  it("report real traffic as their tables describe, and contain no secrets", async () => {
    await using directory = await dataDirectory()
    await using models = await startModels()
    await using receiver = await startReceiver()
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_METRICS: "true",
      VERBATIM_METRICS_TOKEN: token,
      VERBATIM_TRANSCRIBER: "openai",
      VERBATIM_OPENAI_BASE_URL: models.url,
      VERBATIM_OPENAI_API_KEY: "sk-secret-of-the-models",
      VERBATIM_OPENAI_SUMMARY_MODEL: "small"
    })
    const ids = await makeTraffic(server, `${receiver.url}/secret-path`)
    const { page, response, text } = await read(server)
    assert.strictEqual(
      response.headers.get("content-type"),
      "text/plain; version=0.0.4; charset=utf-8"
    )
    assert.deepStrictEqual(findFaults(page), [])
    const { attempts, jobsEnded, mediaSize, oldestPending, pendingWork, queueUp } = coreTable
    const shows = (row: MetricRow, labels?: Readonly<Record<string, string>>) =>
      sumOf(page, row, labels)
    assert.strictEqual(shows(jobsEnded, { transcription: "transcribed", webhook: "delivered" }), 1)
    assert.strictEqual(shows(jobsEnded, { transcription: "failed", webhook: "none" }), 1)
    assert.strictEqual(shows(attempts, { task: "Summarize", outcome: "Succeeded" }), 1)
    assert.strictEqual(shows(attempts, { task: "Transcribe", outcome: "MediaUndecodable" }), 1)
    assert.strictEqual(shows(mediaSize, { source: "upload" }), 2)
    assert.strictEqual(shows(pendingWork, { kind: "Deliver", state: "waiting" }), 0)
    assert.strictEqual(shows(oldestPending, { kind: "Deliver" }), 0)
    assert.strictEqual(shows(queueUp), 1)
    const { requests } = httpTable
    assert.strictEqual(shows(requests, { route: "/v1/transcribe", status: "200" }), 2)
    assert.strictEqual(shows(requests, { route: "/v1/presets/:slug", status: "404" }), 1)
    assert.strictEqual(shows(requests, { route: "/v1/presets", status: "401" }), 1)
    assert.strictEqual(shows(requests, { route: "none", status: "404" }), 1)
    assert.isAbove(shows(sqlTable.statements, { database: "sqlite" }), 100)
    checkRuntime(page, (await read(server)).page)
    const secrets = [
      ...ids,
      managementKey,
      inferenceKey,
      token,
      "sk-secret",
      "tenant",
      "secret-path",
      "callback-77",
      "127.0.0.1",
      directory.path
    ]
    assert.deepStrictEqual(
      secrets.filter((secret) => text.includes(secret)),
      []
    )
  })

  it("are off by default, and require the token when they are on", async () => {
    await using directory = await dataDirectory()
    const settings = { VERBATIM_ROLES: "http", VERBATIM_DATABASE_URL: "memory:" }
    {
      await using server = await ServerProcess.start(directory.path, settings)
      assert.strictEqual((await read(server)).response.status, 404)
    }
    {
      const on = { ...settings, VERBATIM_METRICS: "true" }
      await using server = await ServerProcess.start(directory.path, on)
      assert.strictEqual((await fetch(`${server.address}/metrics`)).status, 200)
      assert.strictEqual((await fetch(`${server.address}/metrics`, { method: "HEAD" })).status, 200)
      assert.strictEqual((await fetch(`${server.address}/metrics`, { method: "POST" })).status, 404)
    }
    const kept = { ...settings, VERBATIM_METRICS: "true", VERBATIM_METRICS_TOKEN: token }
    await using server = await ServerProcess.start(directory.path, kept)
    for (const wrong of ["", "Bearer", `Bearer ${token}x`, `Basic ${token}`, token]) {
      const response = await fetch(`${server.address}/metrics`, {
        headers: { authorization: wrong }
      })
      assert.strictEqual(response.status, 401, wrong)
      assert.strictEqual(response.headers.get("www-authenticate"), "Bearer")
      assert.notInclude(await response.text(), "verbatim_")
    }
    assert.strictEqual((await read(server, managementKey)).response.status, 401)
    assert.strictEqual((await read(server)).response.status, 200)
  })

  it("are served alongside the health checks if a process has only the worker role", async () => {
    await using directory = await dataDirectory()
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_ROLES: "worker",
      VERBATIM_HEALTH_PORT: "0",
      VERBATIM_METRICS: "true",
      VERBATIM_METRICS_TOKEN: token
    })
    assert.strictEqual((await fetch(`${server.address}/metrics`)).status, 401)
    const { page, response } = await read(server)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(findFaults(page), [])
    assert.strictEqual(sumOf(page, coreTable.queueUp), 1)
    assert.strictEqual(sumOf(page, coreTable.attemptsRunning), 0)
  })
})
