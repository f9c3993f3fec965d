/**
 * Failures that end by themselves: a store that cannot be reached, or whose disk is full. They are
 * 500, as every failure; their answers say when to come again.
 */
import {
  JobStoreError,
  MediaStoreError,
  PresetStoreError,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import { Cause } from "effect"

/** Databases are restarted within seconds, and an operator needs minutes for a disk. */
const retrySeconds = 10

/** Whether a store could not be reached, or could not write. */
export const isOutage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  // That one says nothing further.
  if (error instanceof WorkspaceStoreError) return true
  return (
    (error instanceof JobStoreError ||
      error instanceof MediaStoreError ||
      error instanceof PresetStoreError) &&
    error.reason._tag === "Unavailable"
  )
}

/** When to come again; nothing after a failure that would only be repeated. */
export const retryHeaders = (cause: Cause.Cause<unknown>): Readonly<Record<string, string>> =>
  isOutage(cause) ? { "retry-after": String(retrySeconds) } : {}
