/** Who waits for which job in this process. Whoever is told looks for himself. */
import type { News } from "@verbatim/core/services"

type Listener = (news: News) => void

/** A desk of a process. */
export interface NewsDesk {
  readonly tell: (news: News) => void
  /** Listens to one job, until what it gives is called. */
  readonly listen: (id: string, listener: Listener) => () => void
}

/** Makes a desk. It holds nothing of jobs that nobody waits for. */
export const makeNewsDesk = (): NewsDesk => {
  const listeners = new Map<string, Set<Listener>>()
  return {
    tell: (news) => {
      // A listener may make others wait for the same job: those are told of what comes next.
      for (const listener of [...(listeners.get(news.id) ?? [])]) listener(news)
    },
    listen: (id, listener) => {
      const present = listeners.get(id) ?? new Set()
      listeners.set(id, present.add(listener))
      return () => {
        present.delete(listener)
        if (present.size === 0) listeners.delete(id)
      }
    }
  }
}
