/** Processes that are killed while they remove old jobs: what they leave, the next one removes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { casesInTurn, scaleRuns } from "@verbatim/testkit/laws"
import { Effect, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { at, type End } from "../copy/Ends.ts"
import { newPostgres, newSqlite } from "../copy/NewEnds.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { expected, fill, remains, storesAt } from "./OldStore.ts"

const program = fileURLToPath(new URL("./RemovalProgram.ts", import.meta.url))

const flags = ["--conditions=@verbatim/source", "--disable-warning=ExperimentalWarning"]

/** Runs a removal that is killed at a boundary, or to its end: whether it was killed. */
const runRemoval = (end: End, folder: string, killAt: number | null) =>
  Effect.promise(async () => {
    const given = JSON.stringify([end.place, folder, killAt])
    const child = spawn(process.execPath, [...flags, program, given], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    const [code, signal] = await once(child, "exit")
    if (signal !== "SIGKILL") assert.strictEqual(code, 0)
    return signal === "SIGKILL"
  })

/** A quarter of an hour passes for the turn of the one that is gone. */
const passTurn = (end: End) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE retention_turn SET until = 0`).pipe(
    at(end)
  )

/** A removal that is not killed has some 150 boundaries, so that three kills leave it work. */
const boundaryMax = 40

const kills = () => fc.sample(fc.integer({ min: 2, max: boundaryMax }), scaleRuns(3))

const survivesKills = Effect.fnUntraced(function* (newEnd: Effect.Effect<End, never, Scope.Scope>) {
  const end = yield* newEnd
  const folder = join(dirname(yield* newFile), "media")
  const stores = storesAt(end.place, folder)
  const look = Effect.provide(remains, stores, { local: true })
  yield* Effect.provide(fill, stores, { local: true })
  const { books } = yield* look
  for (const killAt of kills()) {
    assert.isTrue(yield* runRemoval(end, folder, killAt), `was not killed at ${killAt}`)
    yield* passTurn(end)
  }
  assert.notDeepEqual(yield* look, expected(books), "it was killed when nothing was left to do")
  assert.isFalse(yield* runRemoval(end, folder, null))
  assert.deepStrictEqual(yield* look, expected(books))
})

describe("a removal of old jobs that is killed again and again", () => {
  const kinds = [
    ["Postgres", newPostgres],
    ["SQLite", newSqlite]
  ] as const
  for (const [name, newEnd] of casesInTurn(kinds, 2)) {
    it.live(`on ${name} leaves nothing that has to go, and takes nothing that stays`, () =>
      survivesKills(newEnd)
    )
  }
})
