/**
 * Keeps the user's unsaved text. The text outlives its form and the session: it is still there
 * after another login with the same key. The text is lost when the page is closed.
 */
import { owner } from "./Session.ts"

interface Entry {
  readonly draft: unknown
  readonly isWritten: boolean
}

const drafts = new Map<string, Entry>()

/** Opens the draft with the given name. Drafts under other keys are not visible. */
export const openDraft = <Draft>(name: string) => {
  const key = `${owner.value} ${name}`
  return {
    read: () => drafts.get(key)?.draft as Draft | undefined,
    /**
     * Stores a draft. `isWritten` is false for an empty draft, which can be lost without a warning.
     */
    write: (draft: Draft | undefined, isWritten = true): void => {
      if (draft === undefined) drafts.delete(key)
      else drafts.set(key, { draft, isWritten })
    }
  }
}

/** Whether closing the page would lose unsaved text on any screen. */
export const hasDrafts = (): boolean => [...drafts.values()].some(({ isWritten }) => isWritten)

/** Discards all drafts when the user logs out. */
export const clearDrafts = (): void => drafts.clear()
