/**
 * The state of the window (theme, size, title and printing), and whether a component is mounted.
 */
import { effect, signal } from "@preact/signals"
import { type Inputs, useEffect, useLayoutEffect, useRef } from "preact/hooks"

/** A colour theme. */
type Theme = "dark" | "light"

const system = matchMedia("(prefers-color-scheme: dark)")

/** The current theme. */
export const theme = signal<Theme>(system.matches ? "dark" : "light")

let isChosen = false

system.addEventListener("change", ({ matches }) => {
  if (!isChosen) theme.value = matches ? "dark" : "light"
})

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

/** Switches between the two themes. */
export const toggleTheme = (): void => {
  isChosen = true
  theme.value = theme.value === "dark" ? "light" : "dark"
}

/** Calls `measure` now, and on scroll and resize while the component is mounted. */
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

/** Returns a function that returns whether the component is still mounted. */
export const useIsMounted = (): (() => boolean) => {
  const isMounted = useRef(true)
  useLayoutEffect(
    () => () => {
      isMounted.current = false
    },
    []
  )
  return () => isMounted.current
}

/** Whether the page is being printed. */
export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})

/** Sets the title of the window. */
export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} – Verbatim`
  }, [title])
