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

type JobPage = Page<ListedJob>

interface Questions {
  readonly askPage: (start?: PageStart) => Promise<JobPage>
  /** Nothing where it is gone, or where the list would not have it. */
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
  /** What was asked before it may tell of jobs whose deletion nobody tells of any more. */
  let resetAt = 0
  let searchCount = 0

  const note = (ids: Iterable<string>): void => {
    for (const id of ids) changed.add(id)
  }

  /** Asks for a page, and takes from it what no later answer has told. */
  const fetchPage = async (
    ask: () => Promise<JobPage>,
    take: (page: JobPage, question: number) => void
  ): Promise<JobPage> => {
    const question = known.ask()
    try {
      const page = await ask()
      take(page, question)
      if (question < resetAt) note(page.data.map(({ id }) => id))
      return page
    } finally {
      known.close(question)
    }
  }

  /** What a page should hold and does not is gone, or has another status now. */
  const takeWhole = (below?: string) => (page: JobPage, question: number) => {
    for (const id of judgePage(stale, page, below).told) stale.delete(id)
    known.remove(judgePage(known.all().keys(), page, below).gone, question)
    known.add(page.data, question)
  }

  const takeJobs = ({ data }: JobPage, question: number): void => known.add(data, question)

  const lookAtOlder = async (): Promise<void> => {
    for (let count = 0; count < olderPagesMax; count += 1) {
      const [id] = [...stale].filter((each) => !pages.isBeyond(each)).sort(newestFirst)
      const start = id === undefined ? undefined : pages.startOf(id)
      if (id === undefined || start === undefined) return
      const page = await fetchPage(() => askPage(start), takeWhole(start.below))
      if (stale.has(id)) pages.noteShort(page)
    }
  }

  /**
   * Where so much is new that the page does not reach what was read, all down to that is read. What
   * is known may be newer: somebody handed it in, or found it.
   */
  const noteGap = (page: JobPage): void => {
    const first = page.data[0]?.id ?? ""
    if (newest !== "" && judgePage([newest], page).told.length === 0) stale.add(newest)
    if (first > newest) newest = first
  }

  const isUnread = (id: string): boolean => pages.isBeyond(id) && !known.all().has(id)

  /** What lies beyond the pages that were read is seen when somebody reads on, or finds it. */
  const forgetUnread = (): void => {
    if (searchCount > 0) return
    for (const id of [...stale].filter(isUnread)) stale.delete(id)
  }

  /** A search finds jobs beyond the pages that were read. */
  const lookAtFound = async (): Promise<void> => {
    const found = [...stale].filter((id) => pages.isBeyond(id) && known.all().has(id))
    for (const id of found.slice(0, foundMax)) {
      const question = known.ask()
      try {
        const job = await askJob(id)
        if (job === undefined) known.remove([id], question)
        else known.add([job], question)
        stale.delete(id)
      } finally {
        known.close(question)
      }
    }
  }

  return {
    /** Something happened to these. One that is not known may be in the list from now on. */
    note,
    /** Anything may have happened to any of them, and to those that are on their way. */
    reset: (): void => {
      note(known.all().keys())
      resetAt = known.ask()
      known.close(resetAt)
    },
    /** Says whether there is more to look at. */
    look: async (): Promise<boolean> => {
      for (const id of changed) stale.add(id)
      changed.clear()
      const take = takeWhole()
      await fetchPage(askPage, (page, question) => {
        pages.noteNewest(page)
        noteGap(page)
        take(page, question)
      })
      forgetUnread()
      await lookAtOlder()
      await lookAtFound()
      return [...stale].some((id) => !isUnread(id))
    },
    /** Reads on; nothing where all was read. */
    readOn: (): (() => Promise<void>) | undefined => {
      const start = pages.next()
      if (start === undefined) return undefined
      return async () => {
        pages.noteNext(start, await fetchPage(() => askPage(start), takeJobs))
      }
    },
    /** Adds what another question finds. Says whether something happened to it meanwhile. */
    search: async (ask: () => Promise<JobPage>): Promise<boolean> => {
      searchCount += 1
      try {
        const { data } = await fetchPage(ask, takeJobs)
        return data.some(({ id }) => stale.has(id) || changed.has(id))
      } finally {
        searchCount -= 1
      }
    }
  }
}

/** How a list is kept as it is now. */
export type Looks = ReturnType<typeof makeLooks>
