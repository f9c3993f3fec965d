/**
 * What somebody has written and not sent. It outlives the part of the page that it stands in, and
 * the session too: whoever logs in again with the same key finds it where it was. It is nowhere but
 * in this page, and gone with it.
 */
import { session } from "./Session.ts"

const drafts = new Map<string, unknown>()

/** Nobody finds what was written with another key. */
const holder = (): string => {
  const now = session.value
  const { key_id, user_id, workspace_id } = now?.workspace ?? {}
  return [workspace_id, key_id ?? user_id ?? now?.operator?.id].join(" ")
}

/** A place for something that is being written. */
export interface Kept<Draft> {
  readonly read: () => Draft | undefined
  /** Nothing takes it away. */
  readonly write: (draft: Draft | undefined) => void
}

/** The place of that name. */
export const keepDraft = <Draft>(name: string): Kept<Draft> => {
  const key = `${holder()} ${name}`
  return {
    read: () => drafts.get(key) as Draft | undefined,
    write: (draft) => {
      if (draft === undefined) drafts.delete(key)
      else drafts.set(key, draft)
    }
  }
}

/** Forgets all of them: whoever wrote them has left. */
export const dropDrafts = (): void => drafts.clear()
