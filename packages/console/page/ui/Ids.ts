/** Ids in few letters: they begin with their time, or with a word, and the end tells them apart. */

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
