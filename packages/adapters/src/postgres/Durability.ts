/**
 * What a session must be set to before we rely on it: above all what the server does before it
 * acknowledges a commit, because then we acknowledge it too. Settings are made by statements, which
 * pass through any pooler in session mode, and read back, because others may lose them.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Clock, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { pooledError } from "../sql/migration/KeptSessions.ts"

/**
 * Waits for the disk, unless the server, the database or the role asks for more: `remote_apply`
 * waits for a replica too. `local` and `remote_write` do not wait for a replica's disk, where one
 * is asked for, and `off` not even for our own.
 */
const atLeastOn = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, FALSE) AS "synchronous_commit"`

/** A setting that means nothing to the server, and is another one in each session. */
const markName = "verbatim.session"

/** Shortened within transactions, to what is left of a write's time: no answer rests on it. */
const unreadName = "lock_timeout"

const serverSettings = ["fsync", "full_page_writes"]

type Row = Readonly<Record<string, unknown>>

const quote = (name: string): string => `"${name}"`

/** The statement that makes settings, and the one that reads them. */
const makeStatements = (names: ReadonlyArray<string>) => {
  const set = names.map((name, at) => `set_config('${name}', $${at + 1}::text, FALSE)`)
  const kept = names.filter((name) => name !== unreadName)
  const shown = [...kept, "synchronous_commit"].map(
    (name) => `current_setting('${name}', TRUE) AS ${quote(name)}`
  )
  const found = serverSettings.map((name) => `current_setting('${name}') AS ${name}`)
  const made = names.map((name, at) => `${set[at]} AS ${quote(name)}`)
  return {
    set: `SELECT ${[...made, atLeastOn, ...found].join(", ")}`,
    read: `SELECT ${shown.join(", ")}`
  }
}

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

/** Between two looks at the settings of a session that is in use: one small statement. */
const lookInterval = Duration.toNanosUnsafe(Duration.seconds(10))

/** How long no session is used after one that was found to be another. */
const refusalTime = Duration.toNanosUnsafe(Duration.minutes(1))

/** What a session was set to, and when that was last seen. */
interface Kept {
  readonly values: Row
  seenAt: bigint
}

let marks = 0

/** A mark that no other session has: the process is in it, and the session's number there. */
const makeMark = (clock: Clock.Clock, session: PgConnection.PgConnection): string => {
  marks += 1
  return `${process.pid} ${marks} ${session.processId} ${clock.currentTimeMillisUnsafe()}`
}

/** How sessions are set, and what is done with one that does not keep it. */
interface Options {
  readonly settings: Readonly<Record<string, string>>
  readonly discard: (session: PgConnection.PgConnection) => Effect.Effect<void>
}

/**
 * Sets sessions before their first statement, reads the settings back in another transaction, and
 * again from time to time. Where they are lost, the client is of no use for a minute. It warns of
 * a server that is not durable: a session cannot change the server's own settings.
 */
export const makeDurable = Effect.fnUntraced(function* ({ discard, settings }: Options) {
  const clock = yield* Clock.Clock
  const kept = new WeakMap<PgConnection.PgConnection, Kept>()
  const statements = makeStatements([...Object.keys(settings), markName])
  let refusedUntil = 0n

  const refuse = (session: PgConnection.PgConnection) =>
    Effect.suspend(() => {
      refusedUntil = clock.monotonicTimeNanosUnsafe() + refusalTime
      return Effect.andThen(discard(session), Effect.fail(pooledError()))
    })

  const look = Effect.fnUntraced(function* (session: PgConnection.PgConnection, known: Kept) {
    const { rows } = yield* session.query(statements.read, [], false)
    const [row] = rows as ReadonlyArray<Row>
    const isKept = Object.entries(row ?? {}).every(([name, value]) => known.values[name] === value)
    if (row === undefined || !isKept) return yield* refuse(session)
    known.seenAt = clock.monotonicTimeNanosUnsafe()
    kept.set(session, known)
  })

  const set = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
    const wanted = [...Object.values(settings), makeMark(clock, session)]
    const { rows } = yield* session.query(statements.set, wanted, false)
    const [values = {}] = rows as ReadonlyArray<Row>
    yield* look(session, { values, seenAt: 0n })
    yield* warn(serverSettings.filter((name) => values[name] === "off"))
  })

  return (session: PgConnection.PgConnection): Effect.Effect<void, SqlError.SqlError> =>
    Effect.suspend(() => {
      const now = clock.monotonicTimeNanosUnsafe()
      if (now < refusedUntil) return refuseStill
      const known = kept.get(session)
      if (known === undefined) return set(session)
      return now - known.seenAt < lookInterval ? Effect.void : look(session, known)
    })
})

const refuseStill = Effect.suspend(() => Effect.fail(pooledError()))
