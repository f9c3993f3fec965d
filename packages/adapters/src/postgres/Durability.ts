/**
 * Sets up sessions before they are used. Most importantly, the server must make a commit durable
 * before acknowledging it, because Verbatim then acknowledges it too. The settings are made by
 * statements, which pass through any pooler in session mode, and are then read back, because other
 * poolers can lose them.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Clock, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { poolerError } from "../sql/migration/PoolerCheck.ts"

/**
 * Makes commits wait for the disk, unless the server, the database or the role requires more:
 * `remote_apply` also waits for a replica. `local` and `remote_write` do not wait for a synchronous
 * replica's disk, and `off` does not even wait for the server's own.
 */
const synchronousCommit = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, FALSE) AS "synchronous_commit"`

/** A custom setting without effect on the server, with a different value in each session. */
const markName = "verbatim.session"

/**
 * Transactions lower this setting to the time that is left for a write, so its value is not
 * compared. No acknowledgement depends on this setting.
 */
const unreadName = "lock_timeout"

const serverSettings = ["fsync", "full_page_writes"]

type Row = Readonly<Record<string, unknown>>

const quote = (name: string): string => `"${name}"`

/** Returns the statement that applies the settings and the statement that reads them. */
const makeStatements = (names: ReadonlyArray<string>) => {
  const set = names.map((name, at) => `set_config('${name}', $${at + 1}::text, FALSE)`)
  const verified = names.filter((name) => name !== unreadName)
  const shown = [...verified, "synchronous_commit"].map(
    (name) => `current_setting('${name}', TRUE) AS ${quote(name)}`
  )
  const found = serverSettings.map((name) => `current_setting('${name}') AS ${name}`)
  const made = names.map((name, at) => `${set[at]} AS ${quote(name)}`)
  return {
    set: `SELECT ${[...made, synchronousCommit, ...found].join(", ")}`,
    read: `SELECT ${shown.join(", ")}`
  }
}

/**
 * Whether this process has already warned. A process has several pools, each with many sessions.
 */
let isWarned = false

const warn = (off: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    if (off.length === 0 || isWarned) return Effect.void
    isWarned = true
    return Effect.logWarning(
      `Postgres runs with ${off.join(" and ")} off: a crash may lose what it has acknowledged`
    )
  })

/** Time between two checks of a session that is in use. A check is one small statement. */
const verifyInterval = Duration.toNanosUnsafe(Duration.seconds(10))

/**
 * Time for which all sessions are refused after a check has found one session replaced by another.
 */
const refusalTime = Duration.toNanosUnsafe(Duration.minutes(1))

/** The settings of a session, and when they were last verified. */
interface VerifiedSettings {
  readonly values: Row
  seenAt: bigint
}

let marks = 0

/**
 * Makes a mark that is unique to a session, from this process, its serial number, the server's
 * process and the time.
 */
const makeMark = (clock: Clock.Clock, session: PgConnection.PgConnection): string => {
  marks += 1
  return `${process.pid} ${marks} ${session.processId} ${clock.currentTimeMillisUnsafe()}`
}

/** The settings for sessions, and the function that removes a session that does not keep them. */
interface Options {
  readonly settings: Readonly<Record<string, string>>
  readonly discard: (session: PgConnection.PgConnection) => Effect.Effect<void>
}

/**
 * Sets up each session before its first statement. The settings are read back in another
 * transaction, and again at intervals. If they are lost, the client refuses all statements for a
 * minute. Logs a warning if the server is not durable, because a session cannot change the server's
 * settings.
 */
export const makeDurable = Effect.fnUntraced(function* ({ discard, settings }: Options) {
  const clock = yield* Clock.Clock
  const verified = new WeakMap<PgConnection.PgConnection, VerifiedSettings>()
  const statements = makeStatements([...Object.keys(settings), markName])
  let refusedUntil = 0n

  const refuse = (session: PgConnection.PgConnection) =>
    Effect.suspend(() => {
      refusedUntil = clock.monotonicTimeNanosUnsafe() + refusalTime
      return Effect.andThen(discard(session), Effect.fail(poolerError()))
    })

  const verify = Effect.fnUntraced(function* (
    session: PgConnection.PgConnection,
    known: VerifiedSettings
  ) {
    const { rows } = yield* session.query(statements.read, [], false)
    const [row] = rows as ReadonlyArray<Row>
    const isKept = Object.entries(row ?? {}).every(([name, value]) => known.values[name] === value)
    if (row === undefined || !isKept) return yield* refuse(session)
    known.seenAt = clock.monotonicTimeNanosUnsafe()
    verified.set(session, known)
  })

  const set = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
    const wanted = [...Object.values(settings), makeMark(clock, session)]
    const { rows } = yield* session.query(statements.set, wanted, false)
    const [values = {}] = rows as ReadonlyArray<Row>
    yield* verify(session, { values, seenAt: 0n })
    yield* warn(serverSettings.filter((name) => values[name] === "off"))
  })

  return (session: PgConnection.PgConnection): Effect.Effect<void, SqlError.SqlError> =>
    Effect.suspend(() => {
      const now = clock.monotonicTimeNanosUnsafe()
      if (now < refusedUntil) return refuseStill
      const known = verified.get(session)
      if (known === undefined) return set(session)
      return now - known.seenAt < verifyInterval ? Effect.void : verify(session, known)
    })
})

const refuseStill = Effect.suspend(() => Effect.fail(poolerError()))
