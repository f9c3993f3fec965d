/** Sets the scroll position and the focus of a screen, and restores both on going back. */
import { announce } from "../ui/Toasts.tsx"

interface SavedPosition {
  readonly top?: number
  /** The link that was followed from this screen. */
  readonly followed?: string | undefined
}

const growMillis = 10_000

/** How long to wait for the row with the followed link, which may no longer exist. */
const drawMillis = 500

const savedPosition = (): SavedPosition => Object(history.state) as SavedPosition

const savePosition = (position: SavedPosition): void =>
  history.replaceState({ ...savedPosition(), ...position }, "")

history.scrollRestoration = "manual"

// Browsers limit how often a page writes its history, so it is not written while scrolling.
document.addEventListener("scrollend", () => savePosition({ top: window.scrollY }))

const saveFollowed = ({ target }: Event): void => {
  const link = target instanceof Element ? target.closest("a[href^='#']") : null
  if (link === null) return
  const href = link.closest("main") === null ? null : link.getAttribute("href")
  savePosition({ top: window.scrollY, followed: href ?? undefined })
}

window.addEventListener("click", saveFollowed, { capture: true })

const focusFollowed = (followed: string): boolean => {
  const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(followed)}"]`)
  link?.focus({ preventScroll: true })
  return link !== null
}

/** Whether the page is scrolled to its end. A page that becomes shorter scrolls by itself. */
const isAtEnd = (): boolean =>
  window.scrollY >= document.documentElement.scrollHeight - window.innerHeight - 2

let stopRestoring = (): void => {}

/** Scrolls back once the screen is long enough again, unless the user moves first. */
const restorePosition = (position: SavedPosition): void => {
  const { followed, top = 0 } = position
  const controller = new AbortController()
  let until = performance.now() + growMillis
  let frame = 0
  let left: number | undefined
  const step = (): void => {
    // A different position shows that the user scrolled with the scroll bar or a screen reader.
    const isMoved = left !== undefined && Math.abs(window.scrollY - left) > 1 && !isAtEnd()
    if (isMoved) {
      stopRestoring()
      return
    }
    window.scrollTo({ top, behavior: "instant" })
    left = window.scrollY
    const isReached = Math.abs(window.scrollY - top) < 2
    const isDone = isReached && (followed === undefined || focusFollowed(followed))
    if (isReached) until = Math.min(until, performance.now() + drawMillis)
    if (isDone || performance.now() > until) stopRestoring()
    else frame = requestAnimationFrame(step)
  }
  stopRestoring = () => {
    controller.abort()
    cancelAnimationFrame(frame)
  }
  for (const name of ["wheel", "pointerdown", "keydown"] as const) {
    window.addEventListener(name, stopRestoring, { signal: controller.signal, passive: true })
  }
  step()
}

export const enterScreen = (title: string): void => {
  stopRestoring()
  const main = document.getElementById("main")
  if (main === null) return
  const position = savedPosition()
  main.focus({ preventScroll: true })
  announce(title)
  if (position.top === undefined) window.scrollTo({ top: 0, behavior: "instant" })
  else restorePosition(position)
}
