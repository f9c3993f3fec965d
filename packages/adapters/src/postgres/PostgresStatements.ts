/**
 * Defines all statements that are specific to Postgres. Where SQLite takes several steps, Postgres
 * usually has one statement, because Postgres allows writes inside a query and each statement costs
 * a round trip.
 */
import { Array, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ChangedLabels } from "../sql/preset/LabelRows.ts"
import type { Row } from "../sql/row/Row.ts"
import type { RowReads } from "../sql/row/RowStatements.ts"
import { decodeFirst } from "../sql/row/RowStatements.ts"
import type { BatchName } from "../sql/SqlMetrics.ts"
import type { Statements } from "../sql/Statements.ts"
import type { LockedTransaction } from "../sql/session/Sessions.ts"
import { makeBatched } from "./gather/Batching.ts"
import { changeLeases, makeClaim } from "./statements/ClaimStatement.ts"
import { makeCommit } from "./statements/Commits.ts"
import { makeInsert } from "./statements/Inserts.ts"
import { feedEnd, nextOrdinal, serverTime } from "./statements/ServerTime.ts"
import { findByWords, schema } from "./statements/Tables.ts"

/**
 * Passes a list as one JSON parameter. Postgres assumes that an array is short, so it looks up each
 * value.
 */
const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} = ANY (ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`
}

/** Converts a JSON parameter to rows. */
const fromJson: RowReads["fromJson"] = (sql, { columns, json, name }) => {
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return sql`jsonb_to_recordset(${json}::jsonb)
    AS ${sql.literal(`${name} (${typed.join(", ")})`)}`
}

/** A query that can answer several requests at once. */
interface BatchedRead<Question> {
  readonly name: BatchName
  readonly sizeMax: number
  /** Returns the rows for each request. */
  readonly rowsOf: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError.SqlError>
}

/** Batches reads, which never wait for one another because they lock nothing. */
const batchReads = <Question>(
  sql: SqlClient.SqlClient,
  { name, rowsOf, sizeMax }: BatchedRead<Question>
) =>
  makeBatched<Question, ReadonlyArray<Row>>(sql, {
    name,
    sizeMax,
    isWrite: false,
    subjects: () => [],
    answerAll: (questions) => Effect.map(rowsOf(questions), Array.map(Option.some)),
    answerOne: (question) => Effect.map(rowsOf([question]), ([rows]) => rows ?? [])
  })

/** Reads the rows that have a given value in a column, in the statement's order. */
const makeRead: RowReads["makeRead"] = (sql, { column, field, name, select, sizeMax }) =>
  batchReads(sql, {
    name,
    sizeMax,
    rowsOf: (values: ReadonlyArray<string>) =>
      Effect.map(select(isAmong(sql, column, new Set(values))), (rows) => {
        const found = Map.groupBy(rows, (row) => row[field])
        return values.map((value) => found.get(value) ?? [])
      })
  })

/** Returns a string that identifies a list of values. */
const toKey = (values: ReadonlyArray<unknown>): string => JSON.stringify(values)

type Values = ReadonlyArray<string>

/**
 * Selects the row that matches each list of values; all lists are passed as one parameter. Each
 * list is looked up separately: for a join, Postgres would guess the number of lists, and might
 * read the whole table.
 */
const selectEach = (
  sql: SqlClient.SqlClient,
  { by, select }: Pick<Parameters<RowReads["makeFind"]>[1], "by" | "select">
) => {
  const isMeant = sql.and(
    by.map(({ column }, index) => sql`${sql(column)} = requested ->> ${sql.literal(String(index))}`)
  )
  return (lists: ReadonlyArray<Values>): Statement.Statement<Row> =>
    sql<Row>`SELECT found.* FROM jsonb_array_elements(${JSON.stringify(lists)}::jsonb) AS requested
      CROSS JOIN LATERAL (${select(isMeant)} LIMIT 1) AS found`
}

const makeFind: RowReads["makeFind"] = (sql, finding) => {
  const { by, name, sizeMax } = finding
  const selectAll = selectEach(sql, finding)
  const readBatched = batchReads(sql, {
    name,
    sizeMax,
    rowsOf: (lists: ReadonlyArray<Values>) => {
      const keys = lists.map(toKey)
      // Requests for the same values share a row, which is transferred only once.
      const distinct = new Map(lists.map((values, index) => [keys[index], values]))
      return Effect.map(selectAll([...distinct.values()]), (rows) => {
        const found = new Map(rows.map((row) => [toKey(by.map(({ field }) => row[field])), row]))
        return keys.map((key) => {
          const row = found.get(key)
          return row === undefined ? [] : [row]
        })
      })
    }
  })
  const first = decodeFirst(finding)
  return (...values) => Effect.flatMap(readBatched(values), (rows) => first(toKey(values), rows))
}

/**
 * Whether the isolation level uses one snapshot for the whole transaction. At lower levels, every
 * statement sees all earlier commits.
 */
const isSnapshot = "current_setting('transaction_isolation') IN ('repeatable read', 'serializable')"

/**
 * Fails if one of these labels was protected after the transaction's snapshot was taken, so that
 * the transaction is retried. A unique index also contains rows that are not in the snapshot, so
 * inserting a duplicate fails with 40001. If the row could be inserted, it is deleted immediately,
 * before any other transaction can see it.
 */
const checkSnapshot = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { labels, workspaceId }: ChangedLabels
) {
  for (const label of labels) {
    const row = { workspace_id: workspaceId, label, user_id: null, at: 0 }
    yield* sql`INSERT INTO verbatim_protected_labels ${sql.insert(row)} ON CONFLICT DO NOTHING`
  }
  yield* sql`DELETE FROM verbatim_protected_labels
    WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)}`
})

interface Answer {
  readonly snapshot: boolean
  readonly held: boolean
}

/**
 * Whether one of the changed labels is protected now, even if the transaction reads an older
 * snapshot. Runs under a lock that prevents other transactions from protecting one of the labels.
 */
const isAnyProtected = (
  sql: SqlClient.SqlClient,
  taken: ChangedLabels
): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { labels, workspaceId } = taken
    if (labels.length === 0) return false
    const [answer] = yield* sql<Answer>`SELECT ${sql.literal(isSnapshot)} AS snapshot,
      EXISTS (SELECT 1 FROM verbatim_protected_labels
        WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)}) AS held`
    if (answer?.held === true) return true
    if (answer?.snapshot === true) yield* checkSnapshot(sql, taken)
    return false
  })

const makeLockedTransaction =
  (lock: string): LockedTransaction =>
  (sql, name, statements) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT ${sql.literal(lock)}(hashtext('verbatim'), hashtext(${name}))`,
        statements
      )
    )

/** The statements for Postgres. */
export const postgresStatements: Statements["Service"] = {
  time: serverTime,
  reads: {
    fromJson,
    isAmong,
    makeFind,
    makeRead,
    awaitingLocked: "FOR UPDATE",
    passingLocked: "FOR UPDATE SKIP LOCKED"
  },
  exclusive: makeLockedTransaction("pg_advisory_xact_lock"),
  shared: makeLockedTransaction("pg_advisory_xact_lock_shared"),
  jobs: { feedEnd, nextOrdinal, findByWords, makeInsert, makeCommit },
  work: { makeClaim, changeLeases },
  presets: {
    isAnyProtected,
    // In the collation "C", only ASCII letters are converted to lower case.
    isLike: (sql, { column, pattern }) =>
      sql`lower(${sql.literal(column)} COLLATE "C")
        LIKE lower(${pattern}::text COLLATE "C") ESCAPE '!'`
  },
  schema
}
