/** Keeps unsaved text, even for another login with the same key, until the page is closed. */
import { owner } from "./Session.ts"

type Entry = Readonly<{ draft: unknown; isWritten: boolean }>
const drafts = new Map<string, Entry>()

/** Drafts under other keys are not visible. */
export const openDraft = <Draft>(name: string) => {
  const key = `${owner.value} ${name}`
  return {
    read: () => drafts.get(key)?.draft as Draft | undefined,
    /** `isWritten` is false for an empty draft, which can be lost without a warning. */
    write: (draft: Draft | undefined, isWritten = true): void => {
      if (draft === undefined) drafts.delete(key)
      else drafts.set(key, { draft, isWritten })
    }
  }
}

export const hasDrafts = (): boolean => [...drafts.values()].some(({ isWritten }) => isWritten)
export const clearDrafts = (): void => drafts.clear()
