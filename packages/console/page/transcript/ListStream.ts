/**
 * Reads a long answer while it comes: the items of its `list` a few hundred at a time, and then the
 * rest of it. A transcript of ten hours as one text would hold the page still for half a second.
 */

/** Items that are read at a time: some milliseconds. */
const batchMax = 500

const opening = '"list":['

interface Place {
  depth: number
  isInString: boolean
  isEscaped: boolean
}

/** What comes out of a reader. */
export interface Reader<Item> {
  /** Takes the next part of the text, and gives the items that are whole by now, in batches. */
  readonly take: (text: string) => Generator<ReadonlyArray<Item>>
  /** The answer without its items, when all of it has been taken. */
  readonly end: () => unknown
  /** The answer as far as it was taken, without its items; what comes after its list is missing. */
  readonly cut: () => unknown
}

const codes = {
  quote: '"'.charCodeAt(0),
  escape: "\\".charCodeAt(0),
  open: "{".charCodeAt(0),
  close: "}".charCodeAt(0),
  openList: "[".charCodeAt(0),
  closeList: "]".charCodeAt(0)
} as const

/** Moves on by one character. */
const step = (place: Place, code: number): void => {
  if (place.isInString) {
    if (place.isEscaped) place.isEscaped = false
    else if (code === codes.escape) place.isEscaped = true
    else if (code === codes.quote) place.isInString = false
    return
  }
  if (code === codes.quote) place.isInString = true
  else if (code === codes.open || code === codes.openList) place.depth += 1
  else if (code === codes.close || code === codes.closeList) place.depth -= 1
}

/** Makes a reader of one answer. */
export const makeListReader = <Item>(): Reader<Item> => {
  const place: Place = { depth: 0, isInString: false, isEscaped: false }
  let rest = ""
  let items = ""
  let listDepth = 0
  let whole = 0
  let count = 0
  const parse = (): ReadonlyArray<Item> => {
    const text = items.slice(0, whole)
    items = items.slice(whole).replace(/^,/, "")
    whole = 0
    count = 0
    return JSON.parse(`[${text.replace(/^,/, "")}]`) as ReadonlyArray<Item>
  }
  /** Before the list: until it begins. */
  const seek = (text: string, from: number): number => {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      step(place, code)
      if (code !== codes.openList || place.isInString) continue
      if (!(rest + text.slice(from, at + 1)).endsWith(opening)) continue
      listDepth = place.depth
      rest += text.slice(from, at + 1)
      return at + 1
    }
    rest += text.slice(from)
    return text.length
  }
  return {
    *take(text) {
      let from = listDepth === 0 ? seek(text, 0) : 0
      if (listDepth > place.depth) {
        rest += text.slice(from)
        return
      }
      for (let at = from; at < text.length; at += 1) {
        step(place, text.charCodeAt(at))
        if (place.isInString) continue
        if (place.depth < listDepth) {
          items += text.slice(from, at)
          whole = items.length
          if (whole > 0) yield parse()
          rest += text.slice(at)
          return
        }
        if (place.depth > listDepth || text.charCodeAt(at) !== codes.close) continue
        items += text.slice(from, at + 1)
        from = at + 1
        whole = items.length
        count += 1
        if (count >= batchMax) yield parse()
      }
      items += text.slice(from)
    },
    end: () => JSON.parse(rest),
    cut: () => {
      const isWithin = listDepth > 0 && place.depth >= listDepth
      return JSON.parse(isWithin ? `${rest}]${"}".repeat(listDepth - 1)}` : rest)
    }
  }
}
