/**
 * Hooks for the window's state (theme, size, title and printing), and for whether a component is
 * mounted.
 */
import { effect, signal } from "@preact/signals"
import { type Inputs, useEffect, useLayoutEffect, useRef } from "preact/hooks"

type Theme = "dark" | "light"

const system = matchMedia("(prefers-color-scheme: dark)")

export const theme = signal<Theme>(system.matches ? "dark" : "light")

let isChosen = false

system.addEventListener("change", ({ matches }) => {
  if (!isChosen) theme.value = matches ? "dark" : "light"
})

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

export const toggleTheme = (): void => {
  isChosen = true
  theme.value = theme.value === "dark" ? "light" : "dark"
}

/** Handles window events while the component is mounted. */
export const useWindowEvents = <Name extends keyof WindowEventMap>(
  names: ReadonlyArray<Name>,
  handle: (event: WindowEventMap[Name]) => void
): void => {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    for (const name of names) {
      window.addEventListener(name, (event) => latest.current(event), { signal })
    }
    return () => controller.abort()
  }, [])
}

/** Calls `measure` now, and on every scroll or resize while the component is mounted. */
export const useWindowChange = (measure: () => void, inputs: Inputs): void => {
  useEffect(measure, inputs)
  useWindowEvents(["scroll", "resize"], measure)
}

/** Focuses an element once the page has rendered again. */
export const focusSoon = (selector: string): void => {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }))
}

/** The pause in typing before the typed text is used. */
const restMillis = 350

/** Calls `run` once the inputs have not changed for a moment. A later change aborts the call. */
export const useRested = (inputs: Inputs, run: (signal: AbortSignal) => unknown): void =>
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(() => void run(controller.signal), restMillis)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, inputs)

/** Returns a function that checks whether the component is still mounted. */
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

export const isPrinting = signal(false)

window.addEventListener("beforeprint", () => {
  isPrinting.value = true
})

window.addEventListener("afterprint", () => {
  isPrinting.value = false
})

export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} – Verbatim`
  }, [title])
