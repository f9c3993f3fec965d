/** Formats names, ids and sizes, and says how long a message is shown. */

/** Splits a name into words: `AwaitingMedia` and `awaiting_media` become "Awaiting media". */
export const toWords = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const shortId = (id: string): string => id.slice(-12)

/** Creates a UUID. Browsers have a function for this, but only on `https` and localhost. */
export const makeId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // The id has version 4 and RFC 9562's variant.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

const units = ["kB", "MB", "GB"] as const
const step = 1_000
export const formatSize = (bytes: number): string => {
  if (bytes < step) return `${bytes} bytes`
  let size = bytes / step
  let unit = 0
  // A value that would round to 1000 is shown in the next larger unit.
  while (Math.round(size) >= step && unit < units.length - 1) {
    size /= step
    unit += 1
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

/** How long a message is shown: long enough to read it and reach its button. */
export const toastMillis = 7_000
const counts = new Intl.NumberFormat("en")
export const formatCount = (count: number): string => counts.format(count)
