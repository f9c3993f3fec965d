/** The browser asks before somebody leaves the page who would lose something. */

const reasons = new Set<() => boolean>()

window.addEventListener("beforeunload", (event) => {
  if ([...reasons].some((isLosing) => isLosing())) event.preventDefault()
})

/** Asks where something would be lost; what is given back ends that. */
export const askBeforeLeaving = (isLosing: () => boolean): (() => void) => {
  reasons.add(isLosing)
  return () => reasons.delete(isLosing)
}
