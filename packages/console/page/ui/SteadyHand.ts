/**
 * A hand means one thing with one key and with one double click. Where a line goes when it is
 * clicked, the next one comes under the pointer, and the focus goes on to it: neither the second
 * click nor a finger that stays on the key is meant for that one.
 */

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("button, a[href]") : null

/** Hears every click and key before anything else does. */
export const steadyHand = (): void => {
  /** What the first of several quick clicks met. */
  let met: Element | null = null
  const judgeClick = (event: MouseEvent): void => {
    const control = controlOf(event.target)
    // The browser counts clicks that follow each other quickly in one place; keys are none.
    if (event.detail <= 1) met = control
    else if (control !== null && control !== met) {
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
