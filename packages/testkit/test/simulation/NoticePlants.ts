/** Faults of workers and stores that tell a host too often, too early, or not at all. */
import type { WorkKind } from "@verbatim/core/attempt"
import { applyCommit, type JobEvent } from "@verbatim/core/job"
import type { Hook } from "@verbatim/core/notice"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import type { Change } from "@verbatim/core/services"
import { DateTime, Effect } from "effect"
import { replacing } from "../faults/Fault.ts"
import { committing, type Plant } from "./Plants.ts"

/** Events of a notice as somebody else writes them. */
const rewriting = (change: (event: JobEvent) => ReadonlyArray<JobEvent>): Plant["options"] => ({
  policies: {
    commits: committing(
      (commit) => (given) => commit({ ...given, events: given.events.flatMap(change) })
    )
  }
})

const returned = (hook: Hook, at: DateTime.Utc): JobEvent => ({
  _tag: "Notice",
  hook,
  event: { _tag: "ListenerReturned", at }
})

const failedAt = (hook: Hook, at: DateTime.Utc): JobEvent => ({
  _tag: "Notice",
  hook,
  event: {
    _tag: "RetryScheduled",
    at,
    dueAt: DateTime.add(at, { seconds: 60 }),
    failure: { _tag: "ListenerFailed", detail: "it failed" }
  }
})

/** Keeps the beginning of a call in memory, and writes it with its end. */
const countedLate = committing((commit) => {
  const begun = new Map<string, Change>()
  return (change) => {
    const first = begun.get(change.job.id)
    begun.delete(change.job.id)
    const begins = ({ _tag, event }: JobEvent) =>
      _tag === "Notice" && event._tag === "AttemptStarted"
    if (change.events.some(begins)) {
      begun.set(change.job.id, change)
      return Effect.orDie(Effect.fromResult(applyCommit(change.job, change.events)))
    }
    return first === undefined
      ? commit(change)
      : commit({ ...change, job: first.job, events: [...first.events, ...change.events] })
  }
})

/** A queue that gives out another number of notices than it was asked for. */
const givingOut = (notices: number, kinds: ReadonlyArray<WorkKind> = ["Notify"]) =>
  replacing(WorkQueue, ({ claim }) => ({
    claim: (request) => {
      const given = Object.fromEntries(kinds.map((kind) => [kind, notices]))
      return claim({ ...request, kinds: { ...request.kinds, ...given } })
    }
  }))

const announcing: ReadonlyArray<WorkKind> = ["Announce", "AnnounceFirst"]

export const noticePlants: ReadonlyArray<Plant> = [
  {
    fault: "a call of a listener is counted after it",
    seed: 2,
    breaks: [
      "a listener is called at most three times for a notice",
      "a listener is called once for an attempt",
      "calls are at least 60 seconds apart"
    ],
    options: { policies: { commits: countedLate } }
  },
  {
    fault: "a notice is told before anybody is called",
    seed: 2,
    breaks: ["a notice that is told was heard"],
    options: rewriting((happened) =>
      happened._tag === "Notice" && happened.event._tag === "AttemptStarted"
        ? [happened, returned(happened.hook, happened.event.at)]
        : [happened]
    )
  },
  {
    fault: "a listener that failed is taken for one that returned",
    seed: 2,
    breaks: ["a notice that is told was heard"],
    options: rewriting((happened) =>
      happened._tag === "Notice" && happened.event._tag === "RetryScheduled"
        ? [returned(happened.hook, happened.event.at)]
        : [happened]
    )
  },
  {
    fault: "a listener that returned is taken for one that failed",
    seed: 2,
    breaks: [
      "a listener that returned is called again only when its process ended or lost the store"
    ],
    options: rewriting((happened) =>
      happened._tag === "Notice" && happened.event._tag === "ListenerReturned"
        ? [failedAt(happened.hook, happened.event.at)]
        : [happened]
    )
  },
  {
    fault: "a listener is called again after 59 seconds",
    seed: 1,
    breaks: ["calls are at least 60 seconds apart"],
    options: rewriting((happened) => {
      if (happened._tag !== "Notice" || happened.event._tag !== "RetryScheduled") return [happened]
      const dueAt = DateTime.subtract(happened.event.dueAt, { seconds: 1 })
      return [{ ...happened, event: { ...happened.event, dueAt } }]
    })
  },
  {
    fault: "a notice fails at once",
    seed: 5,
    breaks: ["a notice fails after three attempts"],
    options: rewriting((happened) => {
      if (happened._tag !== "Notice" || happened.event._tag !== "RetryScheduled") return [happened]
      const { at, failure } = happened.event
      return [{ ...happened, event: { _tag: "GivenUp", at, failure } }]
    })
  },
  {
    fault: "processes without a listener are given notices",
    seed: 2,
    breaks: ["a process without a listener takes no notice"],
    options: { adapters: givingOut(1) }
  },
  {
    fault: "nobody is given a notice",
    seed: 2,
    breaks: ["a notice ends, told or failed"],
    options: { adapters: givingOut(0) }
  },
  {
    fault: "processes without the hook are given notices of transcripts",
    seed: 26,
    breaks: ["a process without a listener takes no notice"],
    options: { adapters: givingOut(1, announcing) }
  },
  {
    fault: "nobody is given a notice of a transcript",
    seed: 3,
    breaks: ["a notice ends, told or failed"],
    options: { adapters: givingOut(0, announcing) }
  },
  {
    fault: "a job loses the notice of its transcript when it is stored",
    seed: 1,
    breaks: ["who wants to be told of jobs is told of each"],
    options: {
      adapters: replacing(JobStore, ({ insert }) => ({
        insert: (creation) => {
          const { transcriptNotice: _, ...job } = creation.job
          return insert({ ...creation, job })
        }
      }))
    }
  },
  {
    fault: "a job loses its notice when it is stored",
    seed: 2,
    breaks: ["who wants to be told of jobs is told of each"],
    options: {
      adapters: replacing(JobStore, ({ insert }) => ({
        insert: (creation) => {
          const { notice: _, ...job } = creation.job
          return insert({ ...creation, job })
        }
      }))
    }
  }
]
