/**
 * Looks at what has changed in a list: at its newest page, and at the older ones that somebody has
 * read and in which something happened. However much happens, a look costs a few requests.
 */
import { judgePage, makePages, type Page, type PageStart } from "./JobPages.ts"
import type { ListedJob } from "./JobTraits.ts"
import { type Known, newestFirst } from "./KnownJobs.ts"

/** Older pages that one look asks for. Where more have changed, the next look goes on. */
const olderPagesMax = 3

/** Jobs beyond the pages that were read, which one look asks for by themselves. */
const foundMax = 5

interface Questions {
  readonly askPage: (start?: PageStart) => Promise<Page<ListedJob>>
  /** Nothing where it is gone. */
  readonly askJob: (id: string) => Promise<ListedJob | undefined>
}

/** Looks at nothing yet. */
export const makeLooks = (known: Known, { askJob, askPage }: Questions) => {
  const pages = makePages()
  /** Something happened to them since the look that is under way began. */
  const changed = new Set<string>()
  /** The look has not come to them yet. */
  const stale = new Set<string>()
  /** The newest one that was in a newest page, and may be gone: all pages lie below it. */
  let newest = ""

  /** What a page should hold and does not is gone, or has another status now. */
  const take = (page: Page<ListedJob>, below?: string): void => {
    for (const id of judgePage(stale, page, below).told) stale.delete(id)
    known.remove(judgePage(known.all().keys(), page, below).gone)
    known.add(page.data)
  }

  const lookAtOlder = async (): Promise<void> => {
    for (let count = 0; count < olderPagesMax; count += 1) {
      const [id] = [...stale].filter((each) => !pages.isBeyond(each)).sort(newestFirst)
      const start = id === undefined ? undefined : pages.startOf(id)
      if (id === undefined || start === undefined) return
      const page = await askPage(start)
      take(page, start.below)
      if (stale.has(id)) pages.noteShort(page)
    }
  }

  /**
   * Where so much is new that the page does not reach what was read, all down to that is read. What
   * is known may be newer: somebody handed it in, or found it.
   */
  const noteGap = (page: Page<ListedJob>): void => {
    const first = page.data[0]?.id ?? ""
    if (newest !== "" && judgePage([newest], page).told.length === 0) stale.add(newest)
    if (first > newest) newest = first
  }

  /** What lies beyond the pages that were read is seen when somebody reads on. */
  const forgetUnread = (): void => {
    const isUnread = (id: string) => pages.isBeyond(id) && !known.all().has(id)
    for (const id of [...stale].filter(isUnread)) stale.delete(id)
  }

  /** A search finds jobs beyond the pages that were read. */
  const lookAtFound = async (): Promise<void> => {
    for (const id of [...stale].filter(pages.isBeyond).slice(0, foundMax)) {
      const job = await askJob(id)
      if (job === undefined) known.remove([id])
      else known.add([job])
      stale.delete(id)
    }
  }

  return {
    /** Something happened to these. One that is not known may be in the list from now on. */
    note: (ids: Iterable<string>): void => {
      for (const id of ids) changed.add(id)
    },
    /** Says whether there is more to look at. */
    look: async (): Promise<boolean> => {
      for (const id of changed) stale.add(id)
      changed.clear()
      const page = await askPage()
      pages.noteNewest(page)
      noteGap(page)
      take(page)
      forgetUnread()
      await lookAtOlder()
      await lookAtFound()
      return stale.size > 0
    },
    /** Reads on; nothing where all was read. */
    readOn: (): (() => Promise<void>) | undefined => {
      const start = pages.next()
      if (start === undefined) return undefined
      return async () => {
        const page = await askPage(start)
        known.add(page.data)
        pages.noteNext(start, page)
      }
    }
  }
}
