/**
 * Defines all statements that are specific to SQLite. These statements are small and run one after
 * another. SQLite has only one writer at a time, because it locks the whole file instead of
 * individual rows. The feed's ordinals therefore increase in commit order.
 */

import type { Commit, Creation } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { writeParts, writePiece } from "../sql/job/CommitParts.ts"
import * as IdempotencyRows from "../sql/job/IdempotencyRows.ts"
import {
  entryRow,
  firstFormat,
  formatOf,
  fullError,
  jobColumns,
  jobFormat,
  jobRow,
  supersededError
} from "../sql/job/JobRows.ts"
import type { Insert, JobStatements, WriteCommit } from "../sql/job/JobStatements.ts"
import type { MigrationRunner, SchemaStatements } from "../sql/migration/Migration.ts"
import { isAnyProtected } from "../sql/preset/LabelRows.ts"
import type { Row } from "../sql/row/Row.ts"
import type { Statements } from "../sql/Statements.ts"
import type { TableSyntax } from "../sql/StoreTables.ts"
import * as WorkRows from "../sql/work/WorkRows.ts"
import { identifyFile } from "./DatabaseFile.ts"
import { changeLeases, makeClaim } from "./statements/ClaimSteps.ts"
import {
  findByWords,
  fromJson,
  isAmong,
  localTime,
  makeFind,
  makeRead
} from "./statements/Reads.ts"

/** Reserves the next ordinal. */
const nextOrdinal: JobStatements["nextOrdinal"] = (sql) =>
  Effect.map(
    sql<{ readonly ordinal: number }>`UPDATE verbatim_job_feed SET ordinal = ordinal + 1
      WHERE id = 1 RETURNING ordinal`,
    ([counted]) => sql`${counted?.ordinal ?? 0}`
  )

/** In the caller's transaction, appends a row of `job_history` to the end of the feed. */
const appendEntry = (sql: SqlClient.SqlClient, row: Row): Effect.Effect<void, SqlError.SqlError> =>
  nextOrdinal(sql).pipe(
    Effect.flatMap(
      (ordinal) => sql`INSERT INTO verbatim_job_history ${sql.insert({ ...row, ordinal })}`
    ),
    Effect.asVoid
  )

/** Selects the ordinal after the last commit. */
const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT verbatim_job_feed.ordinal + 1 FROM verbatim_job_feed)`

/** Creates the method that writes a new job's rows one after another. */
const makeInsert = (sql: SqlClient.SqlClient): Insert =>
  Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job, work } = creation
    const { id, revision, workspaceId } = job
    if (Option.isSome(idempotency)) {
      const record = idempotency.value
      const earlier = yield* IdempotencyRows.claim(sql, { workspaceId, record })
      if (Option.isSome(earlier)) return earlier
    }
    const created = yield* sql`INSERT INTO verbatim_jobs ${sql.insert(jobRow(job))}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (created.length === 0) return yield* supersededError("insert")
    const full = yield* WorkRows.findFull(sql, creation)
    if (full !== undefined) return yield* fullError(full)
    const first = { revision, at: job.acceptedAt, events: [], token: Option.none() }
    yield* appendEntry(sql, entryRow(id, first))
    if (Option.isSome(work)) {
      yield* WorkRows.insert(sql, { jobId: id, work: work.value, format: firstFormat })
    }
    return Option.none()
  }, sql.withTransaction)

/**
 * Writes a commit statement by statement. Returns `false` if the revision or the lease has changed.
 */
const commitInSteps = (sql: SqlClient.SqlClient): WriteCommit =>
  Effect.fnUntraced(function* (commit: Commit, chunks: ReadonlyArray<string>) {
    const { at, events, next, token } = commit
    const { id, revision } = next
    // The job is always written first, because writers that lock rows in different orders can
    // deadlock.
    const [written] = yield* sql<{ readonly format: number }>`UPDATE verbatim_jobs
      SET ${sql.update(jobColumns(next))}, format = MAX(format, ${formatOf(events)})
      WHERE id = ${id} AND revision = ${revision - 1} AND format <= ${jobFormat}
      RETURNING format`
    if (written === undefined) return false
    const isHeld = yield* WorkRows.replace(sql, commit, written.format)
    if (!isHeld) return yield* supersededError("commit")
    yield* appendEntry(sql, entryRow(id, { revision, at, events, token }))
    yield* writePiece(sql, commit)
    yield* writeParts(sql, commit, chunks)
    return true
  }, sql.withTransaction)

/**
 * Creates the method that writes a commit, which returns `false` if the revision or the lease has
 * changed.
 */
const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.succeed(commitInSteps(sql))

const syntax: TableSyntax = {
  types: {
    int: "INTEGER",
    key: "TEXT",
    sequence: "INTEGER PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  // SQLite checks types only in STRICT tables.
  storage: {
    Clustered: "STRICT, WITHOUT ROWID",
    Plain: "STRICT",
    Queue: "STRICT, WITHOUT ROWID"
  },
  indexWords: ({ column, key, table }) => {
    const index = `${table}_${column}`
    const add = `INSERT INTO ${index} (rowid, ${column}) VALUES (new.${key}, new.${column});`
    const remove = `INSERT INTO ${index} (${index}, rowid, ${column})
      VALUES ('delete', old.${key}, old.${column});`
    const trigger = (event: string, actions: string) =>
      `CREATE TRIGGER ${index}_${event.slice(0, 6)} AFTER ${event} ON ${table}
        BEGIN ${actions} END`
    return [
      // The index stores only whether a row contains a word. Words are split only at spaces,
      // because every character of a word counts as a letter.
      `CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content = '', columnsize = 0,
        detail = none, tokenize = "ascii tokenchars '@-'")`,
      trigger("INSERT", add),
      trigger("DELETE", remove),
      trigger(`UPDATE OF ${column}`, `${remove} ${add}`)
    ]
  }
}

/**
 * Creates the migration runner. It needs no lock: SQLite has one writer at a time, and each writer
 * first checks which steps are left.
 */
const makeRunner = (sql: SqlClient.SqlClient): MigrationRunner => ({
  runExclusively: Effect.asSome,
  transaction: sql.withTransaction,
  indexBefore: () => Effect.void,
  indexWithin: ({ name, on }) => Effect.asVoid(sql`CREATE INDEX ${sql(name)} ON ${on(sql)}`)
})

/** The schema statements for SQLite. */
const schema: SchemaStatements["Service"] = {
  syntax,
  hasTable: (sql, table) =>
    Effect.map(
      sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`,
      (rows) => rows.length > 0
    ),
  findTaken: (sql, names) =>
    Effect.map(
      // In SQLite, tables, indexes and views share one namespace, and case does not matter.
      sql<{ readonly name: string }>`SELECT lower(name) AS name FROM sqlite_master`,
      (rows) => rows.map(({ name }) => name).filter((name) => names.includes(name))
    ),
  identify: (sql) =>
    Effect.flatMap(
      sql<{ readonly file: string | null }>`
        SELECT file FROM pragma_database_list WHERE name = 'main'`,
      ([main]) => identifyFile(main?.file ?? "")
    ),
  describeLocation: () => Effect.succeed("the database"),
  createHomeSchema: () => Effect.void,
  lockRecords: () => Effect.void,
  // Each writer assigns the ordinals of its own commits, because a column default cannot do so in
  // SQLite.
  countCommits: () => Effect.void,
  makeRunner
}

/** The statements for SQLite. */
export const sqliteStatements: Statements["Service"] = {
  time: localTime,
  reads: { fromJson, isAmong, makeFind, makeRead, awaitingLocked: "", passingLocked: "" },
  // From its first statement on, a transaction in SQLite excludes all other writers.
  exclusive: (sql, _, statements) => sql.withTransaction(statements),
  shared: (sql, _, statements) => sql.withTransaction(statements),
  jobs: { feedEnd, nextOrdinal, findByWords, makeInsert, makeCommit },
  work: { makeClaim, changeLeases },
  presets: {
    // On SQLite, a transaction that reads an older snapshot fails on its first write.
    isAnyProtected,
    // SQLite's LIKE ignores case only for ASCII letters.
    isLike: (sql, { column, pattern }) => sql`${sql.literal(column)} LIKE ${pattern} ESCAPE '!'`
  },
  schema
}
