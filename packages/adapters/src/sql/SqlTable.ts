/**
 * The table of database metrics: statements, batch sizes and the wait for a session. Each row
 * describes one metric; `docs/metrics.md` is generated from this table.
 */
import { type MetricTable, shortSeconds } from "@verbatim/core/metrics"

const databases = ["postgres", "sqlite"] as const

/** Kinds of requests that are batched. */
const questions = [
  "account",
  "api key",
  "commit",
  "corrections",
  "insert",
  "passages",
  "preset",
  "time",
  "transaction",
  "webhook secrets"
] as const

/**
 * The name of a kind of batch: several requests that one statement answers, or several transactions
 * that one COMMIT ends.
 */
export type BatchName = (typeof questions)[number]

/** All database metrics. */
export const sqlTable = {
  statements: {
    name: "verbatim_sql_statements_total",
    help: "Statements that were run.",
    labels: { database: databases }
  },
  questions: {
    name: "verbatim_sql_gathered_questions",
    help: "Calls that shared one statement; on SQLite, transactions that shared one COMMIT.",
    labels: { question: questions },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]
  },
  sessionWait: {
    name: "verbatim_sql_session_wait_seconds",
    help: "How long a statement or a transaction waited for a session.",
    labels: { database: databases },
    buckets: shortSeconds
  }
} as const satisfies MetricTable
