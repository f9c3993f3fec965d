/**
 * Versions per second added to one slug by sixteen writers: through two HTTP processes, by the
 * store alone, and by the bare statement; and where an HTTP process spends its time.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "@verbatim/testkit/servers"
import { query } from "../jobs/Databases.ts"
import { ourServer } from "../OurServer.ts"
import { median } from "../Rounds.ts"
import { type ServerCommand, startServer } from "../ServerChild.ts"
import { shares } from "./Profile.ts"
import { statements, writers } from "./Statements.ts"
import { check, write } from "./Writers.ts"

const key = "bench-management-key-0123456789abcdef"
const warmUpMillis = 2_000
const roundMillis = 1_500
const roundCount = 5

/** A profile is written when it ends. */
const serverIn = (directory: string, databaseUrl: string): ServerCommand =>
  ourServer({ directory, databaseUrl, key, flags: ["--cpu-prof", `--cpu-prof-dir=${directory}`] })

const measure = async (directory: string, serverUrl: string) => {
  await query(serverUrl, "CREATE DATABASE http", "CREATE DATABASE store")
  const urlOf = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  await using first = await startServer(serverIn(directory, urlOf("http")))
  await using second = await startServer(serverIn(directory, urlOf("http")))
  await using alone = await statements(urlOf("store"))
  const addresses = [first.address, second.address]
  const attempts: Array<Parameters<typeof check>[0][number]> = []
  let moment = 0
  const http = async (millis: number) => {
    const written = await write({ addresses, key, writers, millis })
    const after = moment
    for (const one of written.attempts) {
      attempts.push({ ...one, began: after + one.began, ended: after + one.ended })
      moment = Math.max(moment, after + one.ended)
    }
    return written.perSecond
  }
  const sides = { bare: alone.peer, store: alone.ours, http }
  const rates = { bare: [] as Array<number>, store: [] as Array<number>, http: [] as Array<number> }
  for (const side of Object.values(sides)) await side(warmUpMillis)
  for (let round = 0; round < roundCount; round += 1) {
    for (const name of ["bare", "store", "http"] as const) {
      rates[name].push(await sides[name](roundMillis))
    }
  }
  check(attempts)
  return { rates, versions: attempts.length }
}

/** Prints the medians, and the shares of an HTTP process. */
export const measureAppend = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "verbatim-bench-"))
  const server = await launch({ isDurable: true })
  try {
    const { rates, versions } = await measure(directory, server.url)
    console.log(`Versions of one slug per second, ${writers} writers, ${roundCount} rounds:`)
    for (const [name, values] of Object.entries(rates)) {
      const ratio = median(values.map((value, round) => value / (rates.bare[round] ?? Number.NaN)))
      console.log(
        `${name.padEnd(8)}${median(values).toFixed(0).padStart(8)}${ratio.toFixed(2).padStart(8)}`
      )
    }
    console.log(`${versions} versions over HTTP: 1, 2, 3 …, linearizable, every answer a 200`)
    console.log(`load ${(loadavg()[0] ?? 0).toFixed(1)}; an HTTP process, by what it ran:`)
    for (const [name, share] of await shares(directory)) {
      console.log(`${name.padEnd(40)}${(100 * share).toFixed(0).padStart(4)} %`)
    }
  } finally {
    await server.remove()
    await rm(directory, { recursive: true, force: true })
  }
}
