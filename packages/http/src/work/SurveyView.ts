/** What workers say of themselves, as the answer about work shows it. */
import type { Survey } from "@verbatim/core/ports"
import { Presence } from "@verbatim/core/worker"
import { DateTime, Option } from "effect"
import type { WorkAnswer } from "./WorkViews.ts"

/** The view of a survey. A task that a worker does not do is left out. */
export const toView = ({ debts, now, workers }: Survey): typeof WorkAnswer.Type => ({
  data: {
    at: DateTime.formatIso(now),
    workers: workers.map((worker) => ({
      id: worker.id,
      name: worker.name,
      alive: Presence.isAlive(worker, now),
      started_at: DateTime.formatIso(worker.startedAt),
      seen_at: DateTime.formatIso(worker.seenAt),
      running: Object.fromEntries(Object.entries(worker.running).filter(([, count]) => count > 0))
    })),
    owed: debts.map(({ due, dueSince, kind, later, leased }) => ({
      kind,
      due,
      later,
      leased,
      due_since: Option.getOrNull(Option.map(dueSince, DateTime.formatIso))
    }))
  }
})
