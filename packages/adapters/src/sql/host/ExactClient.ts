/**
 * A host's own client, so that the stores read the same rows from it as from ours: integers of 64
 * bits are numbers, whether its driver gives texts, bigints or numbers, and columns have the names
 * that a statement gives them.
 */
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { traitsOf, withTraits } from "../ClientTraits.ts"

type Row = Readonly<Record<string, unknown>>

/** The type of integers of 64 bits, as Postgres numbers its types. */
const int8 = 20

/** A value that no number holds exactly stays as it is, and its column's schema refuses it. */
const toNumber = (value: unknown): unknown => {
  if (typeof value !== "bigint" && typeof value !== "string") return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const exactValue = (value: unknown): unknown =>
  typeof value === "bigint" ? toNumber(value) : value

/** The columns of a result that the driver says are integers of 64 bits. */
const integersIn = (result: object): ReadonlySet<string> => {
  const fields = "fields" in result && Array.isArray(result.fields) ? result.fields : []
  return new Set(
    fields.flatMap((field: Row) =>
      (field.dataTypeId ?? field.dataTypeID) === int8 ? [String(field.name)] : []
    )
  )
}

const exactRow = (row: Row, integers: ReadonlySet<string>): Row => {
  const exact: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    exact[column] = integers.has(column) ? toNumber(value) : exactValue(value)
  }
  return exact
}

const none: ReadonlySet<string> = new Set()

/** The rows of what a driver of Postgres returns, which says of which type each column is. */
const rowsOf = (result: unknown): ReadonlyArray<Row> => {
  if (Array.isArray(result)) return result.map((row: Row) => exactRow(row, none))
  if (typeof result !== "object" || result === null) return []
  const integers = integersIn(result)
  const rows = "rows" in result && Array.isArray(result.rows) ? result.rows : []
  return rows.map((row: Row) => exactRow(row, integers))
}

const exactValues = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
  rows.map((row) => row.map(exactValue))

/** SQLite's code for a value that must be unique and is not. */
const uniqueCode = 2067

/** Drivers of SQLite tell a primary key that is taken from other unique values; stores do not. */
const alikeUnique = (error: SqlError.SqlError): SqlError.SqlError => {
  const { cause, message } = error.reason
  const said = cause instanceof Error ? cause.message : message
  if (error.reason._tag !== "ConstraintError" || !/UNIQUE constraint failed/.test(said))
    return error
  const unique = Object.assign(new Error(said, { cause }), { errno: uniqueCode })
  const operation = "execute"
  return new SqlError.SqlError({
    reason: SqlError.classifySqliteError(unique, { message: said, operation })
  })
}

type Rows = (statement: Statement.Statement<Row>) => ReturnType<SqlConnection.Connection["execute"]>

/** Statements of the client in place of a connection: it finds the transaction that it is in. */
const connectionOf = (client: SqlClient.SqlClient, rows: Rows): SqlConnection.Connection => {
  const make = (text: string, params: ReadonlyArray<unknown>) => client.unsafe<Row>(text, params)
  return {
    execute: (text, params) => rows(make(text, params)),
    executeRaw: (text, params) => make(text, params).raw,
    executeStream: (text, params) =>
      Stream.map(make(text, params).stream, (row) => exactRow(row, none)),
    executeValues: (text, params) => Effect.map(make(text, params).values, exactValues),
    executeValuesUnprepared: (text, params) =>
      Effect.map(make(text, params).valuesUnprepared, exactValues),
    executeUnprepared: (text, params) =>
      Effect.map(make(text, params).unprepared, (found) =>
        found.map((row: Row) => exactRow(row, none))
      )
  }
}

/** As every driver of Postgres spells it. The values of an update are written by no store. */
const postgresCompiler = () =>
  Statement.makeCompiler({
    dialect: "pg",
    placeholder: (number) => `$${number}`,
    onIdentifier: Statement.defaultEscape('"'),
    onRecordUpdate: (placeholders, alias, columns, values) => [
      `(values ${placeholders}) AS ${alias}${columns}`,
      values.flat()
    ],
    onCustom: () => ["NULL", []]
  })

/** Transactions of SQLite that begin to read and then write fail when somebody wrote meanwhile. */
const beginImmediate =
  ({ withTransaction }: SqlClient.SqlClient): SqlClient.SqlClient["withTransaction"] =>
  (self) =>
    Effect.provideService(withTransaction(self), SqlClient.BeginTransaction, "BEGIN IMMEDIATE")

/** The client with exact integers: one of ours is as it is. */
export const makeExact = (given: SqlClient.SqlClient): SqlClient.SqlClient => {
  if (traitsOf(given).isOurs) return given
  const client = given.withoutTransforms()
  const isPostgres = client.onDialectOrElse({ pg: () => true, orElse: () => false })
  const rows: Rows = isPostgres
    ? (statement) => Effect.map(statement.raw, rowsOf)
    : (statement) =>
        Effect.mapBoth(statement, {
          onFailure: alikeUnique,
          onSuccess: (found) => found.map((row) => exactRow(row, none))
        })
  const constructor = Statement.make(
    Effect.succeed(connectionOf(client, rows)),
    isPostgres ? postgresCompiler() : Statement.makeCompilerSqlite(),
    [["db.system.name", isPostgres ? "postgresql" : "sqlite"]],
    undefined
  )
  const copy: SqlClient.SqlClient = Object.assign(constructor, {
    ...client,
    ...constructor,
    ...(isPostgres ? {} : { withTransaction: beginImmediate(client) })
  })
  Object.assign(copy, { safe: copy, withoutTransforms: () => copy })
  return withTraits(copy, { ...traitsOf(given), isOurs: false })
}
