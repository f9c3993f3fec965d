/**
 * Where somebody stands on a screen: at its top when it is opened, and where it was left when one
 * comes back, by the buttons of the browser or by loading it again. How far that was, and what was
 * followed from there, the browser keeps with each step of its history.
 */
import { announce } from "../ui/Toasts.tsx"

/** What is kept with a step. */
interface Place {
  readonly top?: number
  /** The link that was followed from there. */
  readonly followed?: string | undefined
}

/** Scrolling is noted when it rests; browsers count how often somebody writes into the history. */
const restMillis = 150

/** So long a list may need to have as many lines as before. */
const growMillis = 10_000

/** So long its lines may need to be drawn where they were; one that is gone is not waited for. */
const drawMillis = 500

const placeNow = (): Place => Object(history.state) as Place

const note = (place: Place): void => history.replaceState({ ...placeNow(), ...place }, "")

history.scrollRestoration = "manual"

let rest: ReturnType<typeof setTimeout> | undefined

window.addEventListener(
  "scroll",
  () => {
    clearTimeout(rest)
    rest = setTimeout(() => note({ top: window.scrollY }), restMillis)
  },
  { passive: true }
)

// It comes together with another step; `hashchange` comes after it, and a timer may be in between.
window.addEventListener("popstate", () => clearTimeout(rest))

window.addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element ? target.closest("a[href^='#']") : null
    if (link === null) return
    // What is noted later would be noted with the next step.
    clearTimeout(rest)
    const isWithin = link.closest("main") !== null
    note({
      top: window.scrollY,
      followed: (isWithin ? link.getAttribute("href") : null) ?? undefined
    })
  },
  { capture: true }
)

const focusFollowed = (followed: string): boolean => {
  const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(followed)}"]`)
  link?.focus({ preventScroll: true })
  return link !== null
}

/** A page that is shorter than it was moves whoever is at its end. */
const isAtEnd = (): boolean =>
  window.scrollY >= document.documentElement.scrollHeight - window.innerHeight - 2

let endReturning = (): void => {}

/** Goes back to where it was as soon as the screen is as long again, unless somebody moves on. */
const goBackTo = (place: Place): void => {
  const { followed, top = 0 } = place
  const controller = new AbortController()
  let until = performance.now() + growMillis
  let frame = 0
  let left: number | undefined
  const look = (): void => {
    // A hand on the scroll bar, or a screen reader.
    const isMoved = left !== undefined && Math.abs(window.scrollY - left) > 1 && !isAtEnd()
    if (isMoved) {
      endReturning()
      return
    }
    window.scrollTo({ top, behavior: "instant" })
    left = window.scrollY
    const isThere = Math.abs(window.scrollY - top) < 2
    const isDone = isThere && (followed === undefined || focusFollowed(followed))
    if (isThere) until = Math.min(until, performance.now() + drawMillis)
    if (isDone || performance.now() > until) endReturning()
    else frame = requestAnimationFrame(look)
  }
  endReturning = () => {
    controller.abort()
    cancelAnimationFrame(frame)
  }
  for (const name of ["wheel", "pointerdown", "keydown"] as const) {
    window.addEventListener(name, endReturning, { signal: controller.signal, passive: true })
  }
  look()
}

/** Another screen is shown: whoever uses keys, or hears the page, goes on from its beginning. */
export const arrive = (title: string): void => {
  endReturning()
  const main = document.getElementById("main")
  if (main === null) return
  const place = placeNow()
  main.focus({ preventScroll: true })
  announce(title)
  if (place.top === undefined) window.scrollTo({ top: 0, behavior: "instant" })
  else goBackTo(place)
}
