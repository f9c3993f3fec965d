/** What is in sight is measured again whenever somebody scrolls, or the window has another size. */
import { type Inputs, useEffect } from "preact/hooks"

/** Measures at once, and again for as long as a part of the page is there. */
export const useWindowChange = (measure: () => void, inputs: Inputs): void =>
  useEffect(() => {
    measure()
    const options = { passive: true }
    window.addEventListener("scroll", measure, options)
    window.addEventListener("resize", measure, options)
    return () => {
      window.removeEventListener("scroll", measure)
      window.removeEventListener("resize", measure)
    }
  }, inputs)
