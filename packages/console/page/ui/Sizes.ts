/** Sizes of files as people write them. */

const units = ["kB", "MB", "GB"] as const

/** As many bytes make the next unit. */
const step = 1_000

/** A size: `812 bytes`, `4.2 kB`, `120 MB`. */
export const writeSize = (bytes: number): string => {
  if (bytes < step) return `${bytes} bytes`
  let size = bytes / step
  let unit = 0
  // What would be written as a thousand is one of the next.
  while (Math.round(size) >= step && unit < units.length - 1) {
    size /= step
    unit += 1
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

const counts = new Intl.NumberFormat("en")

/** How many: `12,345`. */
export const writeCount = (count: number): string => counts.format(count)
