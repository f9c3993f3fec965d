/**
 * Failures that end by themselves: a store that cannot be reached, whose disk is full, or in which
 * others hold what a job needs. They are 500, as every failure; their answers say when to come
 * again.
 */
import {
  CorrectionStoreError,
  JobStoreError,
  MediaStoreError,
  PresetStoreError,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import { Cause } from "effect"
import { chainOf } from "./ToldCause.ts"

/** Databases are restarted within seconds, and an operator needs minutes for a disk. */
const retrySeconds = 10

/** What a database says of a statement that it refuses again: the fault is in our code. */
const statementFaults: ReadonlySet<unknown> = new Set([
  "ConstraintError",
  "SqlSyntaxError",
  "UniqueViolation"
])

/** SQLite says this of a table or column that it does not have, among other things. */
const sqliteError = 1

const isOfStatement = (error: unknown): boolean =>
  chainOf(error).some(
    (link) =>
      statementFaults.has(Reflect.get(link, "_tag")) || Reflect.get(link, "errcode") === sqliteError
  )

/** Whether a store could not be reached, or could not write. */
export const isOutage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (isOfStatement(error)) return false
  // That one says nothing further.
  if (error instanceof WorkspaceStoreError) return true
  if (error instanceof JobStoreError && error.reason._tag === "Contended") return true
  return (
    (error instanceof CorrectionStoreError ||
      error instanceof JobStoreError ||
      error instanceof MediaStoreError ||
      error instanceof PresetStoreError) &&
    error.reason._tag === "Unavailable"
  )
}

/** When to come again; nothing after a failure that would only be repeated. */
export const retryHeaders = (cause: Cause.Cause<unknown>): Readonly<Record<string, string>> =>
  isOutage(cause) ? { "retry-after": String(retrySeconds) } : {}
