/** Reads rows by the values of columns, in one statement for all concurrent requests. */
import { Array, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "../../sql/row/Row.ts"
import type { RowReads } from "../../sql/row/RowReads.ts"
import { decodeFirst } from "../../sql/row/RowStatements.ts"
import type { BatchName } from "../../sql/SqlMetrics.ts"
import { makeBatched } from "../gather/Batching.ts"

/**
 * Passes a list as one JSON parameter. Postgres expects an array to be short, and looks up each
 * value.
 */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} = ANY (ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`
}

/** Converts a JSON parameter to rows. */
export const fromJson: RowReads["fromJson"] = (sql, { columns, json, name }) => {
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return sql`jsonb_to_recordset(${json}::jsonb)
    AS ${sql.literal(`${name} (${typed.join(", ")})`)}`
}

/** A read that serves one request or many. */
interface BatchedRead<Question> {
  readonly name: BatchName
  readonly sizeMax: number
  /** Returns the rows for each request. */
  readonly rowsOf: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError.SqlError>
}

/** Batches reads. No read has to wait for another one. */
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

/** Reads the rows that have a value in a column, in the order of the statement. */
export const makeRead: RowReads["makeRead"] = (sql, { column, field, name, select, sizeMax }) =>
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
 * Selects the row that matches each list of values; all lists are one parameter. Each list is
 * looked up separately, because with a join, Postgres guesses the number of lists and may read the
 * whole table.
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

/** Finds the row with certain values. */
export const makeFind: RowReads["makeFind"] = (sql, finding) => {
  const { by, name, sizeMax } = finding
  const selectAll = selectEach(sql, finding)
  const readBatched = batchReads(sql, {
    name,
    sizeMax,
    rowsOf: (lists: ReadonlyArray<Values>) => {
      const keys = lists.map(toKey)
      // Requests for the same values share a row, which is transferred once.
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
