/** What comes above the window in a long list pushes nothing away from under the pointer. */
import { useLayoutEffect, useRef } from "preact/hooks"

interface Given<Item> {
  readonly items: ReadonlyArray<Item>
  readonly keyOf: (item: Item) => string
  readonly rowHeight: number
  /** How far below the top of the window the list begins. */
  readonly topOf: () => number
}

/** Keeps the first line in sight where it is; gives what notes it, for whoever scrolls. */
export const useAnchor = <Item>({ items, keyOf, rowHeight, topOf }: Given<Item>): (() => void) => {
  const latest = useRef(items)
  latest.current = items
  /** The first line in sight, where the list begins above the window. */
  const inSight = useRef({ key: "", index: 0 })
  const noteSight = (): void => {
    const index = Math.max(0, Math.floor(-topOf() / rowHeight))
    const item = latest.current[index]
    inSight.current = { key: item === undefined ? "" : keyOf(item), index }
  }
  useLayoutEffect(() => {
    const { index, key } = inSight.current
    const now = topOf() < 0 ? items.findIndex((item) => keyOf(item) === key) : -1
    if (now > index) window.scrollBy({ top: (now - index) * rowHeight, behavior: "instant" })
    noteSight()
  }, [items])
  return noteSight
}
