/**
 * What the server must do before it acknowledges a commit, because then we acknowledge it too: a
 * job that was accepted, or an attempt that was counted, must not be forgotten in a crash.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/**
 * Sets what a session may set, unless the server, the database or the role asks for more:
 * `remote_apply` waits for a replica too. `local` and `remote_write` do not wait for a replica's
 * disk, where one is asked for, and `off` not even for our own. The startup packet could not make
 * that comparison.
 */
const atLeastOn = `SELECT set_config('synchronous_commit',
  CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, FALSE) AS synchronous_commit,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes`

const serverSettings = ["fsync", "full_page_writes"]

/** Whether this process has warned: it has several pools, and each has many sessions. */
let isWarned = false

const warn = (off: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    if (off.length === 0 || isWarned) return Effect.void
    isWarned = true
    return Effect.logWarning(
      `Postgres runs with ${off.join(" and ")} off: a crash may lose what it has acknowledged`
    )
  })

/**
 * Makes sessions durable before their first statement, and warns of a server that is not: a session
 * cannot change the server's own settings.
 */
export const makeDurable = () => {
  const durable = new WeakSet<PgConnection.PgConnection>()
  const set = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
    const { rows } = yield* session.query(atLeastOn, [], false)
    durable.add(session)
    const [found] = rows as ReadonlyArray<Readonly<Record<string, unknown>>>
    yield* warn(serverSettings.filter((name) => found?.[name] === "off"))
  })
  return (session: PgConnection.PgConnection): Effect.Effect<void, SqlError.SqlError> =>
    durable.has(session) ? Effect.void : set(session)
}
