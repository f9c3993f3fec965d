/**
 * Formats the timestamps of a recording. All calculations use integers, so that rounding errors
 * never change a digit.
 */

/** Formats milliseconds as seconds, in the shortest decimal notation: `4`, `75.1`, `0.29`. */
export const seconds = (millis: number): string => {
  const whole = Math.floor(millis / 1000)
  const fraction = millis % 1000
  if (fraction === 0) return `${whole}`
  if (fraction % 100 === 0) return `${whole}.${fraction / 100}`
  if (fraction % 10 === 0) return `${whole}.${twoDigits(fraction / 10)}`
  return `${whole}.${threeDigits(fraction)}`
}

/** Formats milliseconds as `H:MM:SS`, truncated to whole seconds: `0:01:15`, `10:00:00`. */
export const clock = (millis: number): string => {
  const total = Math.floor(millis / 1000)
  const minutes = Math.floor(total / 60) % 60
  return `${Math.floor(total / 3600)}:${twoDigits(minutes)}:${twoDigits(total % 60)}`
}

/**
 * Formats milliseconds as `HH:MM:SS`, a separator and three digits for the milliseconds:
 * `00:01:15.100`, `10:00:00,000`.
 */
export const timecode = (millis: number, mark: "." | ","): string => {
  const whole = clock(millis)
  return `${millis < 36_000_000 ? "0" : ""}${whole}${mark}${threeDigits(millis % 1000)}`
}

const twoDigits = (count: number): string => String(count).padStart(2, "0")

const threeDigits = (count: number): string => String(count).padStart(3, "0")
