/**
 * Looks at what has changed in a list: at its newest page, and at the older ones that somebody has
 * read and in which something happened. However much happens, a look costs a few requests.
 */
import { type JobPage, makeFetches } from "./JobFetches.ts"
import { judgePage, makePages, type PageStart } from "./JobPages.ts"
import type { ListedJob } from "./JobTraits.ts"
import { type Known, newestFirst } from "./KnownJobs.ts"

/** Older pages that one look asks for. Where more have changed, the next look goes on. */
const olderPagesMax = 3

/** Jobs beyond the pages that were read, which one look asks for by themselves. */
const foundMax = 5

interface Questions {
  readonly askPage: (start?: PageStart) => Promise<JobPage>
  /** Nothing where it is gone, or where the list would not have it. */
  readonly askJob: (id: string) => Promise<ListedJob | undefined>
}

/** What a look goes by. */
interface Looking extends Questions {
  readonly known: Known
  readonly pages: ReturnType<typeof makePages>
  /** The look has not come to them yet. */
  readonly stale: Set<string>
  readonly fetches: ReturnType<typeof makeFetches>
}

/** What a page should hold and does not is gone, or has another status now. */
const takeWhole =
  ({ known, stale }: Looking, below?: string) =>
  (page: JobPage, question: number): void => {
    for (const id of judgePage(stale, page, below).told) stale.delete(id)
    known.remove(judgePage(known.all().keys(), page, below).gone, question)
    known.add(page.data, question)
  }

const lookAtOlder = async (looking: Looking): Promise<void> => {
  const { askPage, fetches, pages, stale } = looking
  for (let count = 0; count < olderPagesMax; count += 1) {
    const [id] = [...stale].filter((each) => !pages.isBeyond(each)).sort(newestFirst)
    const start = id === undefined ? undefined : pages.startOf(id)
    if (id === undefined || start === undefined) return
    const page = await fetches.fetchPage(() => askPage(start), takeWhole(looking, start.below))
    if (stale.has(id)) pages.noteShort(page)
  }
}

/** What lies beyond the pages that were read is seen when somebody reads on, or finds it. */
const isUnread =
  ({ known, pages }: Looking) =>
  (id: string): boolean =>
    pages.isBeyond(id) && !known.all().has(id)

/** A search finds jobs beyond the pages that were read. */
const lookAtFound = async ({ askJob, fetches, known, pages, stale }: Looking): Promise<void> => {
  const found = [...stale].filter((id) => pages.isBeyond(id) && known.all().has(id))
  for (const id of found.slice(0, foundMax)) {
    await fetches.fetch(
      () => askJob(id),
      (job, question) => {
        if (job === undefined) known.remove([id], question)
        else known.add([job], question)
      }
    )
    stale.delete(id)
  }
}

/**
 * Where so much is new that the page does not reach what was read, all down to that is read. What
 * is known may be newer: somebody handed it in, or found it.
 */
const makeGaps = (stale: Set<string>) => {
  /** The newest one that was in a newest page, and may be gone: all pages lie below it. */
  let newest = ""
  return (page: JobPage): void => {
    const first = page.data[0]?.id ?? ""
    if (newest !== "" && judgePage([newest], page).told.length === 0) stale.add(newest)
    if (first > newest) newest = first
  }
}

/** Looks at nothing yet. */
export const makeLooks = (known: Known, questions: Questions) => {
  const pages = makePages()
  /** Something happened to them since the look that is under way began. */
  const changed = new Set<string>()
  const stale = new Set<string>()
  const noteGap = makeGaps(stale)
  let searchCount = 0

  const note = (ids: Iterable<string>): void => {
    for (const id of ids) changed.add(id)
  }

  const fetches = makeFetches(known, note)
  const looking: Looking = { ...questions, fetches, known, pages, stale }
  const takeJobs = ({ data }: JobPage, question: number): void => known.add(data, question)
  const forgetUnread = (): void => {
    if (searchCount > 0) return
    for (const id of [...stale].filter(isUnread(looking))) stale.delete(id)
  }

  return {
    /** Something happened to these. One that is not known may be in the list from now on. */
    note,
    /** Anything may have happened to any of them, and to those that are on their way. */
    reset: fetches.reset,
    /** Says whether there is more to look at. */
    look: async (): Promise<boolean> => {
      for (const id of changed) stale.add(id)
      changed.clear()
      const take = takeWhole(looking)
      await fetches.fetchPage(questions.askPage, (page, question) => {
        pages.noteNewest(page)
        noteGap(page)
        take(page, question)
      })
      forgetUnread()
      await lookAtOlder(looking)
      await lookAtFound(looking)
      return ![...stale].every(isUnread(looking))
    },
    /** Reads on; nothing where all was read. */
    readOn: (): (() => Promise<void>) | undefined => {
      const start = pages.next()
      if (start === undefined) return undefined
      return async () => {
        const page = await fetches.fetchPage(() => questions.askPage(start), takeJobs)
        pages.noteNext(start, page)
      }
    },
    /** Adds what another question finds. Says whether something happened to it meanwhile. */
    search: async (ask: () => Promise<JobPage>): Promise<boolean> => {
      searchCount += 1
      try {
        const { data } = await fetches.fetchPage(ask, takeJobs)
        return data.some(({ id }) => stale.has(id) || changed.has(id))
      } finally {
        searchCount -= 1
      }
    }
  }
}

/** How a list is kept as it is now. */
export type Looks = ReturnType<typeof makeLooks>
