/** What the window is called: its tab, and its line in the history of the browser. */
import { useEffect } from "preact/hooks"

/** Calls it that for as long as a part of the page is there. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} – Verbatim`
  }, [title])
