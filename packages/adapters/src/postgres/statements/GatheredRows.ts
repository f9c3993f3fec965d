/** Reads rows by the values of columns, in one statement for all fibers that ask at one time. */
import { Array, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "../../sql/row/Row.ts"
import type { RowReads } from "../../sql/row/RowReads.ts"
import { makeFirst } from "../../sql/row/RowStatements.ts"
import type { QuestionName } from "../../sql/SqlTable.ts"
import { gather } from "../gather/Gathered.ts"

/** A list is one parameter. Postgres assumes that an array is short, and looks each value up. */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} = ANY (ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`
}

/** What is asked of rows, one question or many. */
interface Asking<Question> {
  readonly name: QuestionName
  readonly sizeMax: number
  /** The rows of each question. */
  readonly rowsOf: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, SqlError.SqlError>
}

/** Reads only, so that no question has to wait for another one. */
const gatherReads = <Question>(
  sql: SqlClient.SqlClient,
  { name, rowsOf, sizeMax }: Asking<Question>
) =>
  gather<Question, ReadonlyArray<Row>>(sql, {
    name,
    sizeMax,
    subjects: () => [],
    answerAll: (questions) => Effect.map(rowsOf(questions), Array.map(Option.some)),
    answerOne: (question) => Effect.map(rowsOf([question]), ([rows]) => rows ?? [])
  })

/** The rows with a value, in the order of the statement. */
export const makeRead: RowReads["makeRead"] = (sql, { column, field, name, select, sizeMax }) =>
  gatherReads(sql, {
    name,
    sizeMax,
    rowsOf: (values: ReadonlyArray<string>) =>
      Effect.map(select(isAmong(sql, column, new Set(values))), (rows) => {
        const found = Map.groupBy(rows, (row) => row[field])
        return values.map((value) => found.get(value) ?? [])
      })
  })

/** One text for a list of values: no two lists have the same. */
const toKey = (values: ReadonlyArray<unknown>): string => JSON.stringify(values)

type Values = ReadonlyArray<string>

/**
 * The row of each list of values, which are one parameter. Each is looked up by itself: for a join,
 * Postgres would guess how many there are, and might read the whole table.
 */
const selectEach = (
  sql: SqlClient.SqlClient,
  { by, select }: Pick<Parameters<RowReads["makeFind"]>[1], "by" | "select">
) => {
  const isMeant = sql.and(
    by.map(({ column }, place) => sql`${sql(column)} = asked ->> ${sql.literal(String(place))}`)
  )
  return (lists: ReadonlyArray<Values>): Statement.Statement<Row> =>
    sql<Row>`SELECT found.* FROM jsonb_array_elements(${JSON.stringify(lists)}::jsonb) AS asked
      CROSS JOIN LATERAL (${select(isMeant)} LIMIT 1) AS found`
}

/** The row with certain values. */
export const makeFind: RowReads["makeFind"] = (sql, finding) => {
  const { by, name, sizeMax } = finding
  const selectAll = selectEach(sql, finding)
  const ask = gatherReads(sql, {
    name,
    sizeMax,
    rowsOf: (asked: ReadonlyArray<Values>) => {
      const keys = asked.map(toKey)
      // Whoever asks for the same is answered by the same row, which travels once.
      const lists = new Map(asked.map((values, place) => [keys[place], values]))
      return Effect.map(selectAll([...lists.values()]), (rows) => {
        const found = new Map(rows.map((row) => [toKey(by.map(({ field }) => row[field])), row]))
        return keys.map((key) => {
          const row = found.get(key)
          return row === undefined ? [] : [row]
        })
      })
    }
  })
  const first = makeFirst(finding)
  return (...values) => Effect.flatMap(ask(values), (rows) => first(toKey(values), rows))
}
