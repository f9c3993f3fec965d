/** Reads lists page by page. */

/** The items read so far, and the cursor for the next page, which is null after the last page. */
export type Pages<Item, Cursor> = Readonly<{ items: ReadonlyArray<Item>; next: Cursor | null }>

export type IsReadAgain<Item> = (items: ReadonlyArray<Item>, before: ReadonlyArray<Item>) => boolean
type CursorPage<Item> = Readonly<{ data: ReadonlyArray<Item>; next_cursor: string | null }>
export const toPage = <Item>({ data, next_cursor }: CursorPage<Item>): Pages<Item, string> => {
  return { items: data, next: next_cursor }
}

/** Maximum number of pages to read at once: more rows than a user scrolls through. */
const pagesMax = 200
export const readPages = async <Item, Cursor>(
  read: (cursor: Cursor | undefined) => Promise<Pages<Item, Cursor>>,
  isEnough: (items: ReadonlyArray<Item>, count: number) => boolean
): Promise<Pages<Item, Cursor>> => {
  let { items, next } = await read(undefined)
  for (let count = 1; next !== null && count < pagesMax && !isEnough(items, count); count += 1) {
    const page = await read(next)
    items = [...items, ...page.items]
    next = page.next
  }
  return { items, next }
}
