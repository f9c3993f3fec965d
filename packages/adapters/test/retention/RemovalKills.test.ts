/** Processes that are killed while they remove old jobs: what they leave, the next one removes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { at, type End } from "../copy/Ends.ts"
import { newPostgres, newSqlite } from "../copy/NewEnds.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"
import { expected, fill, remains, storesAt } from "./OldStore.ts"

const program = fileURLToPath(new URL("./RemovalProgram.ts", import.meta.url))

const flags = ["--conditions=@verbatim/source", "--disable-warning=ExperimentalWarning"]

/** Where a process dies: at the n-th time that it comes there. */
interface Kill {
  readonly point: "after commit" | "after file" | "after rows" | "before file" | "before rows"
  readonly nth: number
}

/** Runs a removal that is killed, or to its end: whether it was killed. */
const runRemoval = (end: End, folder: string, kill: Kill | null) =>
  Effect.promise(async () => {
    const given = JSON.stringify([end.place, folder, kill])
    const child = spawn(process.execPath, [...flags, program, given], {
      stdio: ["ignore", "ignore", "inherit"]
    })
    const [code, signal] = await once(child, "exit")
    if (signal !== "SIGKILL") assert.strictEqual(code, 0)
    return signal === "SIGKILL"
  })

/** A quarter of an hour passes for the turn of the one that is gone. */
const passTurn = (end: End) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE verbatim_retention_turn SET until = 0`
  ).pipe(at(end))

/**
 * The files of jobs that go as a whole come first, nine of them, and then those of which something
 * stays. So the first one dies among the former, the second among the latter, and the third there
 * or later.
 */
const kills = fc.tuple(
  fc.record({
    point: fc.constantFrom("before rows", "after rows", "after commit"),
    nth: fc.constant(1)
  }),
  fc.record({
    point: fc.constantFrom("before file", "after file"),
    nth: fc.integer({ min: 10, max: 14 })
  }),
  fc.record({ point: fc.constant("before file"), nth: fc.integer({ min: 1, max: 4 }) })
) satisfies fc.Arbitrary<ReadonlyArray<Kill>>

const survivesKills = Effect.fnUntraced(function* (newEnd: Effect.Effect<End, never, Scope.Scope>) {
  const end = yield* newEnd
  const folder = join(dirname(yield* newFile), "media")
  const stores = storesAt(end.place, folder)
  const look = Effect.provide(remains, stores, { local: true })
  yield* Effect.provide(fill, stores, { local: true })
  const { books } = yield* look
  for (const kill of fc.sample(kills, 1).flat()) {
    assert.isTrue(yield* runRemoval(end, folder, kill), `not killed: ${JSON.stringify(kill)}`)
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
  for (const [name, newEnd] of chooseCases(kinds, 2)) {
    it.live(`on ${name} leaves nothing that has to go, and takes nothing that stays`, () =>
      survivesKills(newEnd)
    )
  }
})
