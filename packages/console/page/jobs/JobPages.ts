/**
 * Where the pages of a list begin, so that jobs far down are seen anew a page at a time, however
 * many of them have changed: nobody asks for each.
 */

/** A page that can be asked for. */
export interface PageStart {
  /** The id of the job before it; newer jobs have higher ones. */
  readonly below: string
  readonly cursor: string
}

/** What a list answered. */
export interface Page<Job extends { readonly id: string }> {
  readonly data: ReadonlyArray<Job>
  readonly next_cursor: string | null
}

type AnyPage = Page<{ readonly id: string }>

/** The page behind an answer; nothing where that was the last one. */
const startBehind = ({ data, next_cursor }: AnyPage): PageStart | undefined => {
  const last = data.at(-1)
  return last === undefined || next_cursor === null
    ? undefined
    : { below: last.id, cursor: next_cursor }
}

/** Of which of these jobs an answer tells, and which of them are in the list no more. */
export const judgePage = (ids: Iterable<string>, page: AnyPage, below?: string) => {
  const lowest = startBehind(page)?.below ?? ""
  const told = [...ids].filter((id) => id >= lowest && (below === undefined || id < below))
  const held = new Set(page.data.map(({ id }) => id))
  return { told, gone: told.filter((id) => !held.has(id)) }
}

/** The pages of a list that is read from its newest job on. */
export const makePages = () => {
  /** Those that were asked for, and can be asked for again. */
  const starts: Array<PageStart> = []
  /** The one behind the newest page, as that is now. */
  let second: PageStart | undefined
  /** The first one that was not asked for yet. */
  let next: PageStart | undefined
  let isBegun = false

  return {
    /** The page to read on with; nothing where all were read. */
    next: () => next,
    /** Whether a job lies where nobody has read yet. */
    isBeyond: (id: string): boolean => next !== undefined && id < next.below,
    /** The lowest page that may hold a job, which is not beyond and not in the newest one. */
    startOf: (id: string): PageStart | undefined =>
      [...starts, ...(second === undefined ? [] : [second])]
        .filter(({ below }) => id < below)
        .reduce<PageStart | undefined>(
          (lowest, start) => (lowest !== undefined && lowest.below < start.below ? lowest : start),
          undefined
        ),
    /** Where the list was empty so far, reading begins with it. */
    noteNewest: (page: AnyPage): void => {
      second = startBehind(page)
      if (!isBegun) next = second
      isBegun = isBegun || page.data.length > 0
    },
    noteNext: (start: PageStart, page: AnyPage): void => {
      starts.push(start)
      next = startBehind(page)
    },
    /** A page ended above the job that it was asked for: so much is new in between. */
    noteShort: (page: AnyPage): void => {
      const behind = startBehind(page)
      if (behind !== undefined) starts.push(behind)
    }
  }
}
