/**
 * Keeps a double click and a held key from hitting a second control. Where a click removes a line,
 * the next line moves under the pointer and takes the focus: the second click of a double click,
 * and the repeats of a key that is held, are not meant for it.
 */

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("button, a[href]") : null

/** Sees every click and key before anything else does. */
export const keepHandSteady = (): void => {
  /** The control that the first of several quick clicks hit. */
  let first: Element | null = null
  const judgeClick = (event: MouseEvent): void => {
    const control = controlOf(event.target)
    // The browser counts clicks in quick succession in one place. A click by key counts as none.
    if (event.detail <= 1) first = control
    else if (control !== null && control !== first) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }
  const judgeKey = (event: KeyboardEvent): void => {
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && event.repeat && !isWriting) event.preventDefault()
  }
  window.addEventListener("click", judgeClick, { capture: true })
  window.addEventListener("keydown", judgeKey, { capture: true })
}
