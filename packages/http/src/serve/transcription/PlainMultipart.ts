/**
 * Rewrites a multipart body for our parser, which does not support spaces and tabs after a
 * boundary, or headers that continue on an indented line; RFC 2046 allows both. A boundary that is
 * followed by anything else on its line is refused, because two readers could understand it
 * differently.
 */

/**
 * Rewrites one piece of a body after another. Null marks the end. Returns undefined if the body is
 * broken.
 */
export type Rewrite = (bytes: Uint8Array | null) => ReadonlyArray<Uint8Array> | undefined

const [tab, lineFeed, carriageReturn, space, hyphen] = [0x09, 0x0a, 0x0d, 0x20, 0x2d]
const semicolon = 0x3b

/** Maximum padding after a boundary, longer than a line of mail. */
const paddingMax = 1024

/** Maximum size of a part's headers; the parser has the same limit. */
const headBytesMax = 16_384

const encoder = new TextEncoder()
const lineEnd = encoder.encode("\r\n")
const headEnd = encoder.encode("\r\n\r\n")
const ending = encoder.encode("--")

/**
 * Says where the reader is: in a part, a boundary line, headers, the rest of the last boundary's
 * line, or the text after it.
 */
type Mode = "Content" | "Line" | "Head" | "Close" | "Rest"

/** The result of one step of a reader: the bytes written, the new position, and the next mode. */
interface Step {
  readonly mode: Mode
  readonly at: number
  /** Number of bytes after the new position that have already been searched. */
  readonly looked?: number
  readonly written?: Uint8Array
}

/**
 * Reads from a position. The result has the same mode if more bytes are needed, and is undefined if
 * the body is broken.
 */
type Reader = (bytes: Uint8Array, at: number, looked: number) => Step | undefined

/** The initial size of the buffer, which is enough for most headers. */
const roomMin = 1_024

/**
 * Joins unprocessed bytes with the bytes that follow. The buffer doubles in size, because headers
 * in thousands of pieces would otherwise be copied again for each piece. Bytes already handed out
 * are never overwritten.
 */
const makeJoin = () => {
  let room = new Uint8Array(0)
  let end = 0
  return (held: Uint8Array, bytes: Uint8Array): Uint8Array => {
    if (held.length === 0) return bytes
    const isLast = held.buffer === room.buffer && held.byteOffset + held.length === end
    if (!isLast || end + bytes.length > room.length) {
      room = new Uint8Array(Math.max(roomMin, 2 * (held.length + bytes.length)))
      room.set(held)
      end = held.length
    }
    room.set(bytes, end)
    end += bytes.length
    return room.subarray(end - bytes.length - held.length, end)
  }
}

const countMatching = (bytes: Uint8Array, at: number, pattern: Uint8Array): number => {
  let count = 0
  while (count < pattern.length && bytes[at + count] === pattern[count]) count += 1
  return count
}

/**
 * Finds a pattern that begins with CR. If the pattern is missing, returns the position from which
 * to search again.
 */
const find = (bytes: Uint8Array, from: number, pattern: Uint8Array) => {
  let at = bytes.indexOf(carriageReturn, from)
  while (at !== -1) {
    const count = countMatching(bytes, at, pattern)
    if (count === pattern.length || at + count === bytes.length) {
      return { at, isWhole: count === pattern.length }
    }
    at = bytes.indexOf(carriageReturn, at + 1)
  }
  return { at: bytes.length, isWhole: false }
}

const isBlank = (byte: number | undefined): boolean => byte === space || byte === tab

/** Whether a byte can be cut from the end of a header: a semicolon, a space or a tab. */
const isEmptyParameter = (byte: number | undefined): boolean => byte === semicolon || isBlank(byte)

const makeContentReader =
  (delimiter: Uint8Array): Reader =>
  (bytes, from) => {
    const { at, isWhole } = find(bytes, from, delimiter)
    if (!isWhole) return { mode: "Content", at, written: bytes.subarray(from, at) }
    const end = at + delimiter.length
    return { mode: "Line", at: end, written: bytes.subarray(from, end) }
  }

const readLine: Reader = (bytes, from) => {
  let at = from
  while (isBlank(bytes[at])) at += 1
  if (at - from > paddingMax) return undefined
  if (at + 1 >= bytes.length) return { mode: "Line", at: from }
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === carriageReturn && second === lineFeed) return { mode: "Head", at }
  if (first !== hyphen || second !== hyphen || at !== from) return undefined
  return { mode: "Close", at }
}

/** Passes the last boundary to the parser once its line or the body has ended. */
const readClose: Reader = (bytes, from) => {
  let at = from + ending.length
  while (isBlank(bytes[at])) at += 1
  if (at - from > paddingMax) return undefined
  if (at >= bytes.length) return { mode: "Close", at: from }
  return bytes[at] === carriageReturn || bytes[at] === lineFeed
    ? { mode: "Rest", at: from }
    : undefined
}

/**
 * Joins the lines of each header into one line, and removes a trailing semicolon, which some
 * clients add after the last parameter. The first line break belongs to the boundary.
 */
const unfold = (head: Uint8Array): Uint8Array => {
  const written = new Uint8Array(head.length)
  let length = 0
  for (let at = 0; at < head.length; at += 1) {
    const isFolded = at > 0 && head[at] === carriageReturn && isBlank(head[at + 2])
    if (isFolded) at += 2
    while (isFolded && isBlank(head[at + 1])) at += 1
    if (head[at] === carriageReturn) while (isEmptyParameter(written[length - 1])) length -= 1
    written[length] = isFolded ? space : (head[at] ?? space)
    length += 1
  }
  return written.subarray(0, length)
}

/**
 * Reads headers, which must end before the next boundary. Headers can arrive in thousands of
 * pieces, so each piece is searched only once, and copied once or twice.
 */
const makeHeadReader =
  (delimiter: Uint8Array): Reader =>
  (bytes, from, looked) => {
    const head = find(bytes, from + looked, headEnd)
    const next = find(bytes, from + looked, delimiter)
    // The line break that ends the headers must not also count as the one before the next boundary.
    const content = head.at + lineEnd.length
    if (head.at - from > headBytesMax || (next.isWhole && next.at <= content)) return undefined
    if (!head.isWhole || next.at === content) {
      return { mode: "Head", at: from, looked: Math.min(head.at, next.at) - from }
    }
    const end = head.at + headEnd.length
    return { mode: "Content", at: end, written: unfold(bytes.subarray(from, end)) }
  }

const readRest: Reader = (bytes, from) => ({
  mode: "Rest",
  at: bytes.length,
  written: bytes.subarray(from)
})

/** Returns a function that rewrites one body with this boundary. */
export const makeRewrite = (boundary: string): Rewrite => {
  const delimiter = encoder.encode(`\r\n--${boundary}`)
  const readers: Readonly<Record<Mode, Reader>> = {
    Content: makeContentReader(delimiter),
    Line: readLine,
    Head: makeHeadReader(delimiter),
    Close: readClose,
    Rest: readRest
  }
  // The reader starts after an added line break, because a body can begin with its first boundary.
  let step: Step = { mode: "Content", at: 0 }
  let held: Uint8Array = lineEnd
  const join = makeJoin()
  return (bytes) => {
    if (bytes === null) return step.mode === "Close" ? [ending] : []
    const whole = join(held, bytes)
    const written: Array<Uint8Array> = []
    step = { mode: step.mode, at: 0, looked: step.looked ?? 0 }
    let last: Mode | undefined
    // Every iteration except the last one changes the mode.
    while (step.mode !== last) {
      last = step.mode
      const next = readers[last](whole, step.at, step.looked ?? 0)
      if (next === undefined) return undefined
      if (next.written !== undefined && next.written.length > 0) written.push(next.written)
      step = next
    }
    held = whole.subarray(step.at)
    return written
  }
}

/**
 * Matches one content type parameter: a token as the name, and a token or quoted string as the
 * value.
 */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gy

/** Maximum length of a boundary (RFC 2046, 5.1.1). Searching for a long boundary is slow. */
const boundaryMax = 70

/** Reads the boundary from a content type; undefined if there is no boundary of valid length. */
export const readBoundary = (contentType: string): string | undefined => {
  const parameters = contentType.slice(contentType.indexOf(";"))
  const found = Array.from(parameters.matchAll(parameter))
  const [boundary, ...others] = found.filter(([, name]) => name?.toLowerCase() === "boundary")
  const rest = parameters.slice(found.reduce((length, [text]) => length + text.length, 0))
  if (boundary === undefined || others.length > 0 || !/^;?\s*$/.test(rest)) return undefined
  const [, , quoted, token] = boundary
  const text = quoted?.replace(/\\(.)/g, "$1") || token
  return text !== undefined && text.length <= boundaryMax ? text : undefined
}
