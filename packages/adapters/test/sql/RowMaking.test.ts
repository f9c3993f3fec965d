/** Whoever is told what was made of a row before is told the same as whoever makes it anew. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import type { Row } from "#src/sql/row/Row"
import { makeFirst } from "#src/sql/row/RowStatements"

const aliases = ["t.id", "t.text", "t.count"]

const column = Schema.NullOr(Schema.Literals(["a", "1", "", 0, 1, -1]))

/** A row under one of two keys; none where there is none any more. */
const looked = Schema.Struct({
  key: Schema.Literals(["one", "other"]),
  columns: Schema.NullOr(Schema.Tuple([column, column, column]))
})

const toRows = (columns: (typeof looked.Type)["columns"]): ReadonlyArray<Row> =>
  columns === null
    ? []
    : [{ ...Object.fromEntries(aliases.map((alias, index) => [alias, columns[index]])), more: 1 }]

/** Does not take every row. */
const read = (row: Row) =>
  row["t.count"] === -1 ? Effect.fail("unreadable") : Effect.succeed({ row: { ...row } })

const withoutMore = ({ more: _, ...row }: Row) => row

describe("values of rows", () => {
  it.effect.prop(
    "are those of the rows, whatever was made before",
    [Schema.Array(looked)],
    ([all]) =>
      Effect.gen(function* () {
        const first = makeFirst({ aliases, read })
        for (const { columns, key } of all) {
          const [row] = toRows(columns)
          const expected =
            row === undefined
              ? Option.none()
              : yield* Effect.result(Effect.asSome(read(withoutMore(row))))
          const found = first(key, toRows(columns))
          assert.deepStrictEqual(
            row === undefined ? yield* found : yield* Effect.result(found),
            expected
          )
        }
      })
  )

  it.effect("are the same as long as the row is", () =>
    Effect.gen(function* () {
      const first = makeFirst({ aliases, read })
      const made = yield* first("one", toRows(["a", "1", 1]))
      assert.strictEqual(yield* first("one", toRows(["a", "1", 1])), made)
      assert.notStrictEqual(yield* first("one", toRows(["a", 1, 1])), made)
    })
  )
})
