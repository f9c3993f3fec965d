/** The browser asks before somebody leaves the page who would lose something. */

const reasons: Array<() => boolean> = []

window.addEventListener("beforeunload", (event) => {
  if (reasons.some((isLosing) => isLosing())) event.preventDefault()
})

/** Asks where something would be lost, for as long as the page is there. */
export const askBeforeLeaving = (isLosing: () => boolean): void => {
  reasons.push(isLosing)
}
