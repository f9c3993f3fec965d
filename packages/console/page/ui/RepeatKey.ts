/**
 * The key under which something is sent: the same for as long as it says the same, so that what is
 * sent again, because no answer came, is done once.
 */
import { useRef } from "preact/hooks"
import { makeId } from "./Ids.ts"

/** Gives the key for what is said. */
export const useRepeatKey = (): ((said: unknown) => string) => {
  const last = useRef({ text: "", key: "" })
  return (said) => {
    const text = JSON.stringify(said)
    if (text !== last.current.text) last.current = { text, key: makeId() }
    return last.current.key
  }
}

/** Keys of what is sent at any time, and again: each is kept until it is answered. */
export const makeRepeatKeys = () => {
  const keys = new Map<string, string>()
  return {
    keyOf: (said: unknown): string => {
      const text = JSON.stringify(said)
      const key = keys.get(text) ?? makeId()
      keys.set(text, key)
      return key
    },
    /** It was answered: who says the same again means it anew. */
    forget: (said: unknown): void => {
      keys.delete(JSON.stringify(said))
    }
  }
}
