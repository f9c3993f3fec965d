/** The window's state (theme and printing), and hooks for its events and focus. */
import { effect, signal } from "@preact/signals"
import { type Inputs, useEffect, useRef } from "preact/hooks"

type Theme = "dark" | "light"
const system = matchMedia("(prefers-color-scheme: dark)")
export const theme = signal<Theme>(system.matches ? "dark" : "light")
let isChosen = false

system.addEventListener("change", ({ matches }) => {
  if (!isChosen) theme.value = matches ? "dark" : "light"
})

export const isPrinting = signal(false)

for (const name of ["beforeprint", "afterprint"]) {
  window.addEventListener(name, () => {
    isPrinting.value = name === "beforeprint"
  })
}

effect(() => {
  document.documentElement.style.colorScheme = isPrinting.value ? "light" : theme.value
})

export const toggleTheme = (): void => {
  isChosen = true
  theme.value = theme.value === "dark" ? "light" : "dark"
}

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

export const focusSoon = (selector: string): void => {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }))
}

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
