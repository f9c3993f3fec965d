/** Provides a database that counts its commits, and functions for tests of transactions. */
import { mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { Cause, Context, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as SharedCommit from "#src/sql/session/Sessions"
import { newFile } from "./TemporaryDatabase.ts"

const { withSharedCommit } = SharedCommit

const headerBytes = 32
const frameHeaderBytes = 24

/**
 * Counts the commits in the log, which must not have been truncated by a checkpoint. Each page
 * records whether it ends a commit (https://www.sqlite.org/fileformat2.html#walformat).
 */
const commitCount = (filename: string): number => {
  const log = readFileSync(`${filename}-wal`)
  if (log.length === 0) return 0
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let count = 0
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isCurrent = log.subarray(at + 8, at + 16).equals(salts)
    if (isCurrent && log.readUInt32BE(at + 4) > 0) count += 1
  }
  return count
}

/** Creates a file with a table, opens a client on it, and counts all commits from then on. */
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

/** Starts all effects at once, and waits until each has ended. */
export const together = (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>) =>
  Effect.forEach(effects, (effect) => Effect.exit(effect), { concurrency: "unbounded" })

/** Returns the failure or the defect of an effect. */
export const failureOf = (exit: Exit.Exit<unknown, unknown> | undefined) =>
  exit !== undefined && Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
