/**
 * The metrics of the databases: statements, what gathered in one, and the wait for a session. One
 * row is one metric; `docs/metrics.md` is written from them.
 */
import { type MetricTable, shortSeconds } from "@verbatim/core/metrics"

const databases = ["postgres", "sqlite"] as const

/** What callers ask together. */
const questions = [
  "account",
  "api key",
  "commit",
  "corrections",
  "insert",
  "limited insert",
  "preset",
  "time",
  "transcript",
  "transaction",
  "webhook secrets"
] as const

/** What is asked together, or written by one COMMIT. */
export type QuestionName = (typeof questions)[number]

/** Every metric of the databases. */
export const sqlTable = {
  statements: {
    name: "verbatim_sql_statements_total",
    help: "Statements that were run.",
    labels: { database: databases }
  },
  questions: {
    name: "verbatim_sql_gathered_questions",
    help: "Questions that one statement answered; on SQLite, transactions that one COMMIT ended.",
    labels: { question: questions },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]
  },
  sessionWait: {
    name: "verbatim_sql_session_wait_seconds",
    help: "How long a statement or a transaction waited for a session, or for its turn.",
    labels: { database: databases },
    buckets: shortSeconds
  }
} as const satisfies MetricTable
