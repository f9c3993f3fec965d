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

/** Makes what gives the keys of things that are said in between each other, and again. */
export const makeRepeatKeys = (): ((said: unknown) => string) => {
  const keys = new Map<string, string>()
  return (said) => {
    const text = JSON.stringify(said)
    const key = keys.get(text) ?? makeId()
    keys.set(text, key)
    return key
  }
}
