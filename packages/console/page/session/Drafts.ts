/**
 * What somebody has written and not sent. It outlives the part of the page that it stands in, and
 * the session too: whoever logs in again with the same key finds it where it was. It is nowhere but
 * in this page, and gone with it.
 */
import { holder } from "./Session.ts"

interface Entry {
  readonly draft: unknown
  readonly isWritten: boolean
}

const drafts = new Map<string, Entry>()

/** A place for something that is being written. */
export interface Kept<Draft> {
  readonly read: () => Draft | undefined
  /** Nothing takes it away. What says only where somebody was is not written: nobody misses it. */
  readonly write: (draft: Draft | undefined, isWritten?: boolean) => void
}

/** The place of that name: nobody finds what was written with another key. */
export const keepDraft = <Draft>(name: string): Kept<Draft> => {
  const key = `${holder.value} ${name}`
  return {
    read: () => drafts.get(key)?.draft as Draft | undefined,
    write: (draft, isWritten = true) => {
      if (draft === undefined) drafts.delete(key)
      else drafts.set(key, { draft, isWritten })
    }
  }
}

/** Whether something would be lost with the page, on whatever screen it was written. */
export const holdsDrafts = (): boolean => [...drafts.values()].some(({ isWritten }) => isWritten)

/** Forgets all of them: whoever wrote them has left. */
export const dropDrafts = (): void => drafts.clear()
