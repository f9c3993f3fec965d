/** Sizes of files as people write them. */

const units = ["kB", "MB", "GB"] as const

/** As many bytes make the next unit. */
const step = 1_000

/** A size: `812 bytes`, `4.2 kB`, `120 MB`. */
export const writeSize = (bytes: number): string => {
  if (bytes < step) return `${bytes} bytes`
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  const size = bytes / step ** power
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power - 1]}`
}
