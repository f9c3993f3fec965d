/** Light or dark: as the system has it, until somebody chooses. Nothing is kept of the choice. */
import { effect, signal } from "@preact/signals"

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
