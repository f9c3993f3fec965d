/** Selects the screen from the part of the URL after `#`, so that the page works in any folder. */
import { computed, signal } from "@preact/signals"

const read = (): string => location.hash.slice(1) || "/"
const current = signal(read())

window.addEventListener("hashchange", () => {
  current.value = read()
})

export type Parameters = Readonly<Record<string, string>>
export const path = computed(() => current.value.split("?", 1)[0] ?? "/")
export const query = computed(() => new URLSearchParams(current.value.split("?")[1] ?? ""))
export const linkTo = (to: string): string => `#${to}`
const queries = new Map<string, string>()

current.subscribe((address) => {
  const [path = "/", query = ""] = address.split("?")
  queries.set(path, query)
})

/** Returns a path with the filters that its screen last had. */
export const withLastQuery = (to: string): string => {
  const last = queries.get(to) ?? ""
  return last === "" ? to : `${to}?${last}`
}

export const goTo = (to: string): void => {
  location.hash = to
}

/** Changes a query parameter without a new history entry. An empty value removes the parameter. */
export const setQuery = (name: string, value: string): void => {
  const next = new URLSearchParams(query.value)
  if (value === "") next.delete(name)
  else next.set(name, value)
  const text = next.toString()
  history.replaceState(history.state, "", `#${path.value}${text === "" ? "" : `?${text}`}`)
  current.value = read()
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    // An invalid escape in a mistyped address is kept, and matches no screen.
    return segment
  }
}

export const match = (pattern: string, actual: string): Parameters | undefined => {
  const groups = pattern.replace(/:(\w+)/g, "(?<$1>[^/]*)")
  const found = new RegExp(`^${groups}$`).exec(actual)
  const entries = Object.entries(found?.groups ?? {})
  return found === null
    ? undefined
    : Object.fromEntries(entries.map(([name, segment]) => [name, decode(segment)]))
}
