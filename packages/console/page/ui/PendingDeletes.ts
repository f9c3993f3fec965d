/**
 * The ids of jobs, presets, versions and keys that will be deleted unless the user undoes the
 * delete.
 */
import { signal } from "@preact/signals"

/** The ids. */
export const pendingDeletes = signal<ReadonlySet<string>>(new Set())

/** Adds an id; the returned function removes it. */
export const addPendingDelete = (id: string): (() => void) => {
  pendingDeletes.value = new Set([...pendingDeletes.value, id])
  return () => {
    pendingDeletes.value = new Set([...pendingDeletes.value].filter((each) => each !== id))
  }
}
