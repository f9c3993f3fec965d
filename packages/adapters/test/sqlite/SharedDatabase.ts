/** A database whose commits are counted, and what tests of transactions do on it. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { Cause, Context, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as SharedCommit from "#src/sql/session/Sessions"
import { newFile } from "./TemporaryDatabase.ts"
import { commitCount } from "./WalCommits.ts"

const { withSharedCommit } = SharedCommit

/** A client on a new file with a table, and how many commits there were since then. */
export const opened = Effect.gen(function* () {
  const filename = yield* newFile
  mkdirSync(dirname(filename))
  const scope = yield* Scope.fork(yield* Effect.scope)
  const context = yield* Scope.provide(
    Layer.build(Layer.fresh(SqliteClient.layer({ filename }))),
    scope
  )
  const sql = Context.get(context, SqlClient.SqlClient)
  yield* sql`CREATE TABLE t (id INTEGER PRIMARY KEY, content TEXT) STRICT`
  yield* sql`CREATE TABLE child (
    parent INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
  const before = commitCount(filename)
  const insert = (id: number) => sql`INSERT INTO t (id) VALUES (${id})`
  return {
    sql,
    filename,
    commits: () => commitCount(filename) - before,
    close: Scope.close(scope, Exit.void),
    insert,
    shared: withSharedCommit(sql),
    ids: Effect.map(sql<{ id: number }>`SELECT id FROM t ORDER BY id`, (rows) =>
      rows.map(({ id }) => id)
    )
  }
})

/** Starts them all, and waits until they have ended. */
export const together = (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>) =>
  Effect.forEach(effects, (effect) => Effect.exit(effect), { concurrency: "unbounded" })

/** What an effect failed with, or died of. */
export const failureOf = (exit: Exit.Exit<unknown, unknown> | undefined) =>
  exit !== undefined && Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
