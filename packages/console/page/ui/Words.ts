/** How names, ids and sizes are written. */

/** A name in words: `AwaitingMedia` is "Awaiting media". */
export const toWords = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The end of an id. */
export const endOf = (id: string): string => id.slice(-12)

/** A UUID of our own: browsers make one by themselves on `https` and on this machine alone. */
export const makeId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Version 4, of the usual variant (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

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
