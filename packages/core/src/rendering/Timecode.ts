/**
 * Instants in a recording as the wire writes them. Integers throughout, so that no digit is an
 * artefact of binary fractions.
 */

/** Seconds as the shortest decimal string: `4`, `75.1`, `0.29`. */
export const seconds = (millis: number): string => {
  const whole = Math.floor(millis / 1000)
  const fraction = millis % 1000
  if (fraction === 0) return `${whole}`
  return `${whole}.${String(fraction).padStart(3, "0").replace(/0+$/, "")}`
}

/** `H:MM:SS`, cut to the whole second: `0:01:15`, `10:00:00`. */
export const clock = (millis: number): string => {
  const total = Math.floor(millis / 1000)
  const minutes = Math.floor(total / 60) % 60
  return `${Math.floor(total / 3600)}:${twoDigits(minutes)}:${twoDigits(total % 60)}`
}

const twoDigits = (count: number): string => String(count).padStart(2, "0")
