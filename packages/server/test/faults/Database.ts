/** Opens the database for a run: a file, or a database on a Postgres server that can be crashed. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { launch } from "@verbatim/testkit/servers"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { counts, type TableCounts } from "./TableCounts.ts"

/** The database that all processes of a run use. */
export interface Database extends AsyncDisposable {
  /** The URL that processes connect to. */
  readonly url: string
  /** Counts the rows in the tables. */
  readonly counts: () => Promise<TableCounts>
  /** Crashes the server. This function is undefined for a file, and for an external server. */
  readonly crash?: () => Promise<void>
  readonly start?: () => Promise<void>
}

type Ask = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Promise<A>

const onPostgres =
  (url: string): Ask =>
  (effect) => {
    const client = PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })
    return Effect.runPromise(Effect.provide(effect, client))
  }

const onSqlite =
  (filename: string): Ask =>
  (effect) =>
    Effect.runPromise(Effect.provide(effect, SqliteClient.layer({ filename })))

const openSqlite = (directory: string): Database => {
  const filename = join(directory, "verbatim.db")
  return {
    url: `sqlite:${filename}`,
    counts: () => onSqlite(filename)(counts),
    [Symbol.asyncDispose]: () => Promise.resolve()
  }
}

const launchPostgres = async (): Promise<Database> => {
  const { remove, start, stop, url } = await launch()
  return {
    url,
    counts: () => onPostgres(url)(counts),
    crash: () => stop("immediate"),
    start,
    [Symbol.asyncDispose]: remove
  }
}

/** Creates a separate database on an existing server. */
const createOn = async (server: string): Promise<Database> => {
  const name = `verbatim_faults_${randomUUID().replaceAll("-", "")}`
  const execute = (statement: string) =>
    onPostgres(server)(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))
  await execute(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    counts: () => onPostgres(url.href)(counts),
    [Symbol.asyncDispose]: async () => void (await execute(`DROP DATABASE ${name} WITH (FORCE)`))
  }
}

/**
 * Opens an empty database on the Postgres server that `DATABASE_URL` names. If the variable is
 * unset, starts a server.
 */
export const openDatabase = (
  kind: "sqlite" | "postgres",
  directory: string
): Promise<Database> | Database => {
  if (kind === "sqlite") return openSqlite(directory)
  const server = process.env.DATABASE_URL ?? ""
  return server === "" ? launchPostgres() : createOn(server)
}
