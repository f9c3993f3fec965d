/** Memory, SQLite and Postgres answer alike, whatever they are asked, one thing after the other. */

import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { scaleRuns } from "@verbatim/testkit/laws"
import { instant } from "@verbatim/testkit/samples"
import { type Context, DateTime, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { withClient } from "../sqlite/TemporaryDatabase.ts"
import { steps, wholeState } from "./Commands.ts"
import type { Step } from "./Step.ts"
import { advance, onServer } from "./TemporarySchema.ts"
import { founding } from "./WorkspaceCommands.ts"

/** How many sequences, and how many commands in one at most. */
const sequences = scaleRuns(100)
const stepsMax = 24

/** What a store said. Of a failure, only what the port distinguishes. */
const answerOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  if (Exit.isSuccess(exit)) return exit.value
  const [first] = exit.cause.reasons
  if (first === undefined || first._tag !== "Fail") return { failed: String(exit.cause) }
  const { _tag, reason } = Object(first.error)
  return { failed: _tag, reason: reason?._tag }
}

/** One of the databases that are asked. */
interface Asked {
  readonly ask: (step: Step, number: number) => Effect.Effect<unknown>
  readonly pass: (duration: Duration.Duration) => Effect.Effect<unknown, unknown>
}

const asking = (
  stores: Context.Context<Stores>,
  pass: Asked["pass"],
  clock?: Context.Context<never>
): Asked => ({
  pass,
  ask: (step, number) => {
    const asked = Effect.provideContext(step.run(number), stores)
    const timed = clock === undefined ? asked : Effect.provideContext(asked, clock)
    return Effect.map(Effect.exit(timed), answerOf)
  }
})

/** Stores whose time is a clock of their own: a new one, which knows no earlier sleepers. */
const timed = Effect.fnUntraced(function* (stores: Context.Context<Stores>) {
  const clock = yield* Layer.build(Layer.fresh(TestClock.layer()))
  const set = TestClock.setTime(DateTime.toEpochMillis(instant))
  yield* Effect.provideContext(set, clock)
  const pass = (duration: Duration.Duration) =>
    Effect.provideContext(TestClock.adjust(duration), clock)
  return asking(stores, pass, clock)
})

const tables = [
  "verbatim_preset_changes",
  "verbatim_preset_designations",
  "verbatim_preset_keys",
  "verbatim_preset_versions",
  "verbatim_presets",
  "verbatim_ledger",
  "verbatim_api_keys",
  "verbatim_operator_keys",
  "verbatim_workspaces",
  "verbatim_jobs"
]

type Database = Context.Context<Stores | SqlClient.SqlClient>

// At once: references are checked when all of it is done. Truncating takes five times as long.
const emptied = tables.map((table) => `${table}_gone AS (DELETE FROM ${table})`).join(", ")

/** The stores of an existing schema, emptied, at the beginning of time. */
const emptyPostgres = (database: Database) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`WITH ${sql.literal(emptied)}
      UPDATE clock SET millis = ${DateTime.toEpochMillis(instant)}`
    return asking(database, (duration) => Effect.provideContext(advance(duration), database))
  }).pipe(Effect.provideContext(database))

/** The same of a SQLite database, which is made once too: its migrations take longest. */
const emptySqlite = (database: Database) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const deletes = tables.map((table) => sql`DELETE FROM ${sql(table)}`)
    yield* sql.withTransaction(Effect.all(deletes, { discard: true }))
    return yield* timed(database)
  }).pipe(Effect.provideContext(database))

/** One sequence, asked of all three. */
const sequence = Effect.fnUntraced(function* (
  { postgres, sqlite }: { readonly postgres: Database; readonly sqlite: Database },
  commands: ReadonlyArray<Step | number>
) {
  const memory = yield* timed(yield* Layer.build(Layer.fresh(Memory.layer)))
  const others = { SQLite: yield* emptySqlite(sqlite), Postgres: yield* emptyPostgres(postgres) }
  const log: Array<string> = []
  const compare = Effect.fnUntraced(function* (step: Step, number: number) {
    const expected = yield* memory.ask(step, number)
    for (const [name, other] of Object.entries(others)) {
      const actual = yield* other.ask(step, number)
      assert.deepStrictEqual(actual, expected, `${name}: ${step.shown} after\n${log.join("\n")}`)
    }
  })
  // Keys need a workspace; questions about a missing one are tested with everything else.
  for (const [index, command] of [founding, ...commands].entries()) {
    if (typeof command === "number") {
      const duration = Duration.millis(command)
      yield* Effect.forEach([memory, ...Object.values(others)], ({ pass }) => pass(duration))
    } else yield* compare(command, index + 1)
    log.push(typeof command === "number" ? `pass ${command} ms` : command.shown)
  }
  yield* Effect.forEach(wholeState, (step) => compare(step, 0), { concurrency: "unbounded" })
}, Effect.scoped)

/** A command, or now and then some time that passes. */
const commands = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: steps },
    { weight: 1, arbitrary: fc.constantFrom(1, 999, 1_000, 10_000, 29_999, 30_000) }
  ),
  { minLength: 8, maxLength: stepsMax, size: "max" }
)

describe("memory, SQLite and Postgres", () => {
  it.live(
    `give the same answers to ${sequences} sequences of commands`,
    () =>
      Effect.gen(function* () {
        const databases = {
          postgres: yield* Layer.build(onServer),
          sqlite: yield* Layer.build(withClient(":memory:"))
        }
        const same = fc.asyncProperty(commands, (chosen) =>
          Effect.runPromise(sequence(databases, chosen))
        )
        yield* Effect.tryPromise(() => fc.assert(same, { numRuns: sequences }))
      }),
    600_000
  )
})
