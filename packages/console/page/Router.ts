/**
 * Which screen is shown: what stands behind the `#` of the address, so that the page works in
 * whatever folder it is served.
 */
import { computed, signal } from "@preact/signals"

const read = (): string => location.hash.slice(1) || "/"

const current = signal(read())

window.addEventListener("hashchange", () => {
  current.value = read()
})

/** What a screen is shown with: the parameters of its path. */
export type Parameters = Readonly<Record<string, string>>

/** The path of the screen. */
export const path = computed(() => current.value.split("?", 1)[0] ?? "/")

/** What the address says beside the path. */
export const query = computed(() => new URLSearchParams(current.value.split("?")[1] ?? ""))

/** The address of a screen, for a link. */
export const linkTo = (to: string): string => `#${to}`

/** Goes to a screen. */
export const goTo = (to: string): void => {
  location.hash = to
}

/** Changes a part of the query without a step back; an empty value removes it. */
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
    // Somebody's own address: it will name nothing.
    return segment
  }
}

/** The parameters of a path of this pattern, such as `/jobs/:id`; nothing where it is another. */
export const match = (pattern: string, given: string): Parameters | undefined => {
  const parts = pattern.split("/")
  const segments = given.split("/")
  if (parts.length !== segments.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? ""
    if (part.startsWith(":")) found[part.slice(1)] = decode(segment)
    else if (part !== segment) return undefined
  }
  return found
}
