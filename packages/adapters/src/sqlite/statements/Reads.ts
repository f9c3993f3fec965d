/**
 * Implements reads by column value, and reads of the clock. A database inside this process answers
 * each request immediately, so requests are not batched.
 */
import { Clock, Effect } from "effect"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { RowReads } from "../../sql/row/RowStatements.ts"
import { makeRowLookup } from "../../sql/row/RowStatements.ts"
import type { StoreTime } from "../../sql/session/Sessions.ts"

/** Passes a list as one parameter. */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} IN (SELECT value FROM json_each(${text}))`
}

/** Converts a JSON parameter to rows. */
export const fromJson: RowReads["fromJson"] = (sql, { columns, json, name }) => {
  const values = Object.keys(columns).map((column) => `value ->> '${column}' AS ${column}`)
  return sql`(SELECT ${sql.literal(values.join(", "))}
    FROM json_each(${json})) AS ${sql.literal(name)}`
}

/** Reads the rows that have a given value in a column. */
export const makeRead: RowReads["makeRead"] =
  (sql, { column, select }) =>
  (value) =>
    select(sql`${sql(column)} = ${value}`)

/** Finds the row with the given values. */
export const makeFind: RowReads["makeFind"] = (sql, { aliases, by, read, select }) =>
  makeRowLookup(sql, {
    count: by.length,
    select: (values) =>
      select(sql.and(by.map(({ column }, index) => sql`${sql(column)} = ${values[index]}`))),
    aliases,
    read
  })

/** Finds transcripts by their words. No word contains a quote. */
export const findByWords: JobStatements["findByWords"] = (sql, words, limit) =>
  sql`SELECT job_id FROM verbatim_search_texts_words AS found
    CROSS JOIN verbatim_search_texts ON entry = found.rowid
    WHERE found.verbatim_search_texts_words MATCH ${words.map((word) => `"${word}"`).join(" AND ")}
    LIMIT ${limit}`

const withNow: StoreTime["withNow"] = (sql, statement) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => statement(sql`${now}`))

/** Passes the current time to statements as a parameter. */
export const localTime: StoreTime = {
  millis: () => Clock.currentTimeMillis,
  withNow,
  withNowExclusive: (sql, statements) => sql.withTransaction(withNow(sql, statements))
}
