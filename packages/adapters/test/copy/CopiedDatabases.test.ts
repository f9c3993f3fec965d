/** Tests that a database can be told apart from a copy with the same rows. */
import { copyFile, rename } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { SqlJobStore, StoreCopy } from "@verbatim/adapters/sql"
import { type DatabaseIdentity, JobStore } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, type Endpoint, endpointAt, migrate, newPostgres, newSqlite } from "./Databases.ts"

const inStore = <A, E>(end: Endpoint, effect: Effect.Effect<A, E, JobStore>) =>
  Effect.provide(effect, Layer.provide(SqlJobStore.layer, end.client), { local: true })

const readMark = (end: Endpoint) =>
  inStore(
    end,
    Effect.flatMap(JobStore, ({ databaseIdentity }) => databaseIdentity)
  )

const adopt = (end: Endpoint, isReplacing: boolean) =>
  inStore(
    end,
    Effect.flatMap(JobStore, (store) => store.adoptMedia({ marker: "first", isReplacing }))
  )

const assertCopied = (copy: DatabaseIdentity, original: DatabaseIdentity) => {
  assert.deepStrictEqual(copy.marker, Option.some("first"))
  assert.isTrue(copy.isCopied)
  assert.notStrictEqual(copy.identity, original.identity)
}

const founded = Effect.fnUntraced(function* (end: Endpoint) {
  yield* migrate(end)
  yield* adopt(end, false)
  const mark = yield* readMark(end)
  assert.isFalse(mark.isCopied)
  return mark
})

describe("a copied database", () => {
  it.live("is recognised by its SQLite file, even after a rename", () =>
    Effect.gen(function* () {
      const end = yield* newSqlite
      const original = yield* founded(end)
      const { name } = end.place
      yield* Effect.promise(() => copyFile(name, `${name}-copy`))
      const copy = endpointAt({ ...end.place, name: `${name}-copy` })
      assertCopied(yield* readMark(copy), original)
      yield* adopt(copy, true)
      assert.isFalse((yield* readMark(copy)).isCopied)
      yield* Effect.promise(() => rename(name, `${name}-renamed`))
      const renamed = endpointAt({ ...end.place, name: `${name}-renamed` })
      assert.deepStrictEqual(yield* readMark(renamed), original)
    })
  )

  it.live("is recognised in Postgres by its rewritten rows, as after the restore of a dump", () =>
    Effect.gen(function* () {
      const end = yield* newPostgres
      const original = yield* founded(end)
      const run = (statement: string) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(at(end))
      yield* run("VACUUM FULL verbatim_database_identity")
      yield* run("VACUUM FREEZE verbatim_database_identity")
      assert.deepStrictEqual(yield* readMark(end), original)
      yield* run("SELECT * INTO kept FROM verbatim_database_identity")
      yield* run("TRUNCATE verbatim_database_identity")
      yield* run("INSERT INTO verbatim_database_identity SELECT * FROM kept")
      assertCopied(yield* readMark(end), original)
      yield* adopt(end, true)
      assert.isFalse((yield* readMark(end)).isCopied)
    })
  )

  for (const [name, newTarget] of [
    ["SQLite", newSqlite],
    ["Postgres", newPostgres]
  ] as const) {
    it.live(`can adopt a media store later if the copy command created it in ${name}`, () =>
      Effect.gen(function* () {
        const [from, to]: ReadonlyArray<Endpoint> = [yield* newSqlite, yield* newTarget]
        if (from === undefined || to === undefined) return assert.fail()
        const original = yield* founded(from)
        yield* StoreCopy.copyStore({
          source: from.source({ isInUse: false }),
          target: to.target,
          report: () => Effect.void
        })
        assertCopied(yield* readMark(to), original)
      })
    )
  }
})
