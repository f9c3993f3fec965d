/** What workers say of themselves, and what they leave undone, as the answers show it. */
import { dependencyNames } from "@verbatim/core/attempt"
import type { DebtCounts, Survey } from "@verbatim/core/ports"
import { Presence, type QueueSample } from "@verbatim/core/worker"
import { DateTime, Option } from "effect"
import type { QueueSampleView, WorkAnswer } from "./WorkViews.ts"

const toCounts = ({ due, dueSince, later, leased }: DebtCounts) => ({
  due,
  later,
  leased,
  due_since: Option.getOrNull(Option.map(dueSince, DateTime.formatIso))
})

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
      running: Object.fromEntries(Object.entries(worker.running).filter(([, count]) => count > 0)),
      outages: worker.outages.map(({ dependency, ...outage }) => ({
        name: dependencyNames[dependency],
        ...outage
      }))
    })),
    owed: debts.map((debt) => ({
      kind: debt.kind,
      ...toCounts(debt),
      lane_count: debt.laneCount,
      lanes: debt.lanes.map((ofLane) => ({
        workspace_id: ofLane.workspaceId,
        lane: ofLane.lane,
        ...toCounts(ofLane)
      }))
    }))
  }
})

/** The view of a sample of the queue. */
export const toSampleView = ({
  at,
  due,
  later,
  leased
}: QueueSample): typeof QueueSampleView.Type => ({ at: DateTime.formatIso(at), due, later, leased })
