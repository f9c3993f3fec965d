/** The window: light or dark, its size and title, whether it is printed, what is still there. */
import { effect, signal } from "@preact/signals"
import { type Inputs, useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** What was chosen. */
type Theme = "dark" | "light"

const system = matchMedia("(prefers-color-scheme: dark)")

/** What is shown now. */
export const theme = signal<Theme>(system.matches ? "dark" : "light")

let isChosen = false

system.addEventListener("change", ({ matches }) => {
  if (!isChosen) theme.value = matches ? "dark" : "light"
})

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

/** Changes to the other one. */
export const toggleTheme = (): void => {
  isChosen = true
  theme.value = theme.value === "dark" ? "light" : "dark"
}

/** Measures at once, and again for as long as a part of the page is there. */
export const useWindowChange = (measure: () => void, inputs: Inputs): void =>
  useEffect(() => {
    measure()
    const options = { passive: true }
    window.addEventListener("scroll", measure, options)
    window.addEventListener("resize", measure, options)
    return () => {
      window.removeEventListener("scroll", measure)
      window.removeEventListener("resize", measure)
    }
  }, inputs)

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

/** Set by the events of the browser. */
export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})

/** Calls it that for as long as a part of the page is there. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} – Verbatim`
  }, [title])
