/**
 * Tests a rolling deployment. Processes of this version and the next share a Postgres while jobs
 * arrive, and are replaced one after another.
 */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { submitAll } from "./faults/Clients.ts"
import { openDatabase } from "./faults/Database.ts"
import { Dice } from "./faults/Dice.ts"
import { judge, startLife } from "./faults/movedStore.ts"
import { newerFormat, newerMigration } from "./faults/NewerVersion.ts"
import { startReceiver } from "./faults/Receiver.ts"
import { newerMember } from "./Program.ts"
import { dataDirectory } from "./ServerProcess.ts"

/** Reads counts that prove that both versions did some of the work. */
const traces = (url: string) => {
  const counting = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<Readonly<Record<"older" | "newer" | "migrated", number>>>`SELECT
      (SELECT COUNT(*) FROM verbatim_jobs WHERE format < ${newerFormat}) AS older,
      (SELECT COUNT(*) FROM verbatim_jobs WHERE format = ${newerFormat}) AS newer,
      (SELECT COUNT(*) FROM verbatim_migrations WHERE migration_id = ${newerMigration}) AS migrated`
    return row
  })
  const client = PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })
  return Effect.runPromise(Effect.provide(counting, client))
}

describe("a rolling deployment while jobs run", () => {
  it("loses no accepted job, and accepts or ends no job twice", async () => {
    await using folder = await dataDirectory()
    using receiver = await startReceiver(new Dice(9))
    await using database = await openDatabase("postgres", folder.path)
    await using life = await startLife({ directory: folder.path, database })
    const { fleet, way } = life
    let accepted = 0
    const send = (jobs: number) =>
      submitAll(way, {
        jobs,
        callbackUrl: receiver.url,
        paceMillis: 100,
        onAccepted: (count) => {
          accepted = count
        }
      })
    const submitting = send(80)
    const program = await newerMember()
    while (accepted < 20) await new Promise((resolve) => setTimeout(resolve, 20))
    // The first new process migrates the database while the old processes are working.
    fleet.deploy(program)
    await fleet.add("worker", 1)
    for (const place of fleet.places.slice(0, -1)) await fleet.replace(place)
    await submitting
    // Submits all jobs again with the same keys, and some more that only the newer processes can
    // accept.
    const jobs = await send(90)

    const report = await judge(way, { database, jobs, receiver })
    for (const [what, count] of Object.entries(report)) assert.strictEqual(count, 0, what)
    assert.strictEqual(fleet.falls, 0, fleet.fallen.join("\n"))
    const { migrated = 0, newer = 0, older = 0 } = (await traces(database.url)) ?? {}
    assert.deepStrictEqual([migrated, newer + older], [1, jobs.length])
    assert.isAbove(newer, 0)
    assert.isAbove(older, 0)
  })
})
