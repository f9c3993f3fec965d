/**
 * How Postgres spells the tables of the stores, and changes them.
 */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SchemaStatements, Types } from "../../sql/migration/SchemaStatements.ts"
import { makeHome } from "../Schema.ts"
import { turn } from "./MigrationTurn.ts"

/**
 * How Postgres keeps a small table of short-lived rows small: half of each page is left free for
 * new versions of its rows, and dead ones are cleared by their number, however few rows there are.
 */
const churn = [
  "fillfactor = 50",
  "autovacuum_vacuum_threshold = 1000",
  "autovacuum_vacuum_scale_factor = 0.02",
  "autovacuum_analyze_threshold = 1000",
  "autovacuum_analyze_scale_factor = 0.1",
  "autovacuum_vacuum_cost_delay = 0"
].join(", ")

const types = (sql: SqlClient.SqlClient): Types => ({
  int: sql.literal("BIGINT"),
  // Ids, slugs and the like compare byte by byte: faster than by the rules of a language, and an
  // index stays valid when those change with the operating system.
  key: sql.literal('TEXT COLLATE "C"'),
  sequence: sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
  createdAt: sql.literal("TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now()"),
  strict: sql.literal(""),
  clustered: sql.literal(""),
  queue: sql.literal(`WITH (${churn})`)
})

/** The number of the transaction, or of the outermost one that it is part of. */
const transactionNumber = "(pg_current_xact_id()::text::bigint)"

/** What migrations say to Postgres. */
export const schema: SchemaStatements["Service"] = {
  types,
  // Postgres visits each row that it locks anyway, and a lease outside every index can be written
  // without touching one.
  dueColumns: "kind, due_at, job_id",
  fromJson: (sql, { columns, json, name }) => {
    const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
    return sql`jsonb_to_recordset(${json}::jsonb)
      AS ${sql.literal(`${name} (${typed.join(", ")})`)}`
  },
  isThere: (sql, table) =>
    Effect.map(sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`, (rows) => rows.length > 0),
  findTaken: (sql, names) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema()))
          AND relname::text = ANY (ARRAY(
            SELECT jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))`,
      (rows) => rows.map(({ name }) => name)
    ),
  // The transaction that wrote a row stays with it, also through an upgrade of the server. A dump
  // has the row written by another one, into a table with another number.
  identify: (sql) =>
    Effect.map(
      sql<{ readonly place: string }>`SELECT tableoid::text || '-' || xmin::text AS place
        FROM verbatim_database_identity`,
      ([row]) => row?.place ?? ""
    ),
  placeOf: (sql) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT current_schema()::text AS name`,
      (rows) => `schema ${rows[0]?.name}`
    ),
  makeHome,
  lockRecords: (sql) => sql`LOCK TABLE verbatim_migrations IN SHARE ROW EXCLUSIVE MODE`,
  countCommits: (sql) => sql`ALTER TABLE verbatim_job_history
    ALTER COLUMN ordinal SET DEFAULT ${sql.literal(transactionNumber)}`,
  turn
}
