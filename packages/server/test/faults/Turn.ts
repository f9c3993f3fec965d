/**
 * The short fault tests take turns: most of their time is waiting for leases beside processes that
 * are killed and started again. One database with each commit, and both in `.ci/run`.
 */
import { casesInTurn } from "@verbatim/testkit/laws"

/** The databases whose turn it is. */
export const databasesInTurn: ReadonlyArray<"postgres" | "sqlite"> = casesInTurn(
  ["sqlite", "postgres"],
  2
)
