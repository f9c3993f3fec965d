/** Whether a part of the page is still there when an answer comes: somebody may not have waited. */
import { useLayoutEffect, useRef } from "preact/hooks"

/** Gives what tells it; once it has gone, another one like it may be in its place. */
export const usePresence = (): (() => boolean) => {
  const isThere = useRef(true)
  useLayoutEffect(
    () => () => {
      isThere.current = false
    },
    []
  )
  return () => isThere.current
}
