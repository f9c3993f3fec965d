/** The table of tables has every column that the migrations make, and no other one. */
import { assert, describe, it } from "@effect/vitest"
import { StoreCopy } from "@verbatim/adapters/sql"
import { Effect, type Scope } from "effect"
import { at, type Column, type End, migrate } from "./Ends.ts"
import { newPostgres, newSqlite } from "./NewEnds.ts"

const kinds: Readonly<Record<string, string>> = {
  INTEGER: "Integer",
  TEXT: "Text",
  bigint: "Integer",
  integer: "Integer",
  text: "Text"
}

const described = (columns: ReadonlyArray<Column>) => {
  const tables = Map.groupBy(
    columns.filter(({ table }) => !(table in StoreCopy.otherTables)),
    ({ table }) => table
  )
  return Object.fromEntries(
    [...tables].map(([table, all]) => [
      table,
      {
        key: all
          .filter(({ keyPlace }) => keyPlace > 0)
          .toSorted((a, b) => a.keyPlace - b.keyPlace)
          .map(({ name }) => name),
        columns: Object.fromEntries(all.map(({ name, type }) => [name, kinds[type] ?? type]))
      }
    ])
  )
}

const known = Object.fromEntries(
  StoreCopy.storeTables.map(({ columns, key, left = [], name }) => [name, { columns, key, left }])
)

const agrees = Effect.fnUntraced(function* (make: Effect.Effect<End, never, Scope.Scope>) {
  const end = yield* make
  yield* migrate(end)
  const columns = yield* end.columns.pipe(at(end))
  const found = described(columns)
  assert.deepStrictEqual(Object.keys(found).sort(), Object.keys(known).sort())
  for (const [table, { columns, key, left }] of Object.entries(known)) {
    const { [table]: there } = found
    // A column that is left empty must be one that may be empty.
    const all = { ...columns, ...Object.fromEntries(left.map((name) => [name, name])) }
    assert.deepStrictEqual(Object.keys(there?.columns ?? {}).sort(), Object.keys(all).sort(), table)
    for (const [name, kind] of Object.entries(columns)) {
      assert.strictEqual(there?.columns[name], kind, `${table}.${name}`)
    }
    assert.deepStrictEqual(there?.key, key, table)
  }
  for (const name of Object.keys(StoreCopy.otherTables)) {
    assert.isTrue(
      columns.some(({ table }) => table === name),
      name
    )
  }
})

describe("the table of tables", () => {
  it.live("is what the migrations make of SQLite", () => agrees(newSqlite))
  it.live("is what the migrations make of Postgres", () => agrees(newPostgres))
})
