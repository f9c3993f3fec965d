/** Defines and changes the stores' tables in Postgres. */

import { Effect } from "effect"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { SchemaStatements } from "../../sql/migration/Migration.ts"
import type { TableSyntax } from "../../sql/StoreTables.ts"
import { createHomeSchema } from "../Schema.ts"
import { makeRunner } from "./MigrationLock.ts"

/**
 * Keeps a table of short-lived rows small. Half of each page stays free for new versions of the
 * rows on it, and vacuuming depends only on the number of dead rows, however large the table is.
 */
const queueStorage = [
  "fillfactor = 50",
  "autovacuum_vacuum_threshold = 1000",
  "autovacuum_vacuum_scale_factor = 0.02",
  "autovacuum_analyze_threshold = 1000",
  "autovacuum_analyze_scale_factor = 0.1",
  "autovacuum_vacuum_cost_delay = 0"
].join(", ")

/** Returns the words in a column, in the form that the index contains. */
const wordVector = (column: string): string =>
  `array_to_tsvector(array_remove(string_to_array(${column}, ' '), ''))`

/**
 * Finds transcripts by their words. No word contains a quote. The limit is outside the subquery,
 * because inside, the planner might scan the table. The subquery stops at the limit too.
 */
export const findByWords: JobStatements["findByWords"] = (sql, words, limit) =>
  sql`WITH found AS MATERIALIZED (
      SELECT job_id FROM verbatim_search_texts WHERE ${sql.literal(wordVector("words"))} @@
        ${words.map((word) => `'${word}'`).join(" & ")}::tsquery)
    SELECT job_id FROM found LIMIT ${limit}`

const syntax: TableSyntax = {
  types: {
    int: "BIGINT",
    // Ids, slugs and similar columns are compared byte by byte. This is faster than a comparison by
    // language rules, and an index stays valid when the operating system changes those rules.
    key: 'TEXT COLLATE "C"',
    sequence: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    small: "INTEGER",
    text: "TEXT"
  },
  storage: { Clustered: "", Plain: "", Queue: `WITH (${queueStorage})` },
  indexWords: ({ column, table }) => [
    `CREATE INDEX ${table}_${column} ON ${table} USING GIN ((${wordVector(column)}))
      WITH (fastupdate = off)`,
    // Without statistics on the column, the planner always uses the index.
    `ALTER INDEX ${table}_${column} ALTER COLUMN 1 SET STATISTICS 0`
  ]
}

/** The number of the outermost transaction. */
const transactionNumber = "(pg_current_xact_id()::text::bigint)"

/** The schema statements of Postgres. */
export const schema: SchemaStatements["Service"] = {
  syntax,
  hasTable: (sql, table) =>
    Effect.map(sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`, (rows) => rows.length > 0),
  findTaken: (sql, names) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema()))
          AND relname::text = ANY (ARRAY(
            SELECT jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))`,
      (rows) => rows.map(({ name }) => name)
    ),
  // A row keeps the number of the transaction that wrote it, even after server upgrades. In a
  // restored dump, the row was written by another transaction, into a table with another id.
  identify: (sql) =>
    Effect.map(
      sql<{ readonly identity: string }>`SELECT tableoid::text || '-' || xmin::text AS identity
        FROM verbatim_database_identity`,
      ([row]) => row?.identity ?? ""
    ),
  describeLocation: (sql) =>
    Effect.map(
      sql<{ readonly name: string }>`SELECT current_schema()::text AS name`,
      (rows) => `schema ${rows[0]?.name}`
    ),
  createHomeSchema,
  lockRecords: (sql) => sql`LOCK TABLE verbatim_migrations IN SHARE ROW EXCLUSIVE MODE`,
  countCommits: (sql) => sql`ALTER TABLE verbatim_job_history
    ALTER COLUMN ordinal SET DEFAULT ${sql.literal(transactionNumber)}`,
  makeRunner
}
