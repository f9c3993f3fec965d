/**
 * How Postgres spells the tables of the stores, and changes them.
 */

import { Effect } from "effect"
import type { SchemaStatements } from "../../sql/migration/Migration.ts"
import type { Spelling } from "../../sql/StoreTables.ts"
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

const spelling: Spelling = {
  types: {
    int: "BIGINT",
    // Ids, slugs and the like compare byte by byte: faster than by the rules of a language, and an
    // index stays valid when those change with the operating system.
    key: 'TEXT COLLATE "C"',
    sequence: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  storage: { Clustered: "", Plain: "", Queue: `WITH (${churn})` }
}

/** The number of the transaction, or of the outermost one that it is part of. */
const transactionNumber = "(pg_current_xact_id()::text::bigint)"

/** What migrations say to Postgres. */
export const schema: SchemaStatements["Service"] = {
  spelling,
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
