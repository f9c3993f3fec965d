/** Faults planted into adapters and policies, each with the guarantee that it must break. */

import { policies, RetryPolicies } from "@verbatim/core/attempt"
import { applyCommit, type JobEvent } from "@verbatim/core/job"
import {
  JobStore,
  PresetStore,
  type WebhookPost,
  WebhookSender,
  WorkspaceStore
} from "@verbatim/core/ports"
import { type Change, Commits, Deliveries } from "@verbatim/core/services"
import { DateTime, Effect, Layer, Option } from "effect"
import type { Options } from "#src/simulation/Simulation"
import { replacing } from "../faults/Fault.ts"
import { jobStoreFaults } from "../faults/JobStoreFaults.ts"

export interface Plant {
  readonly fault: string
  /** The guarantees, one of which must be found broken. */
  readonly breaks: ReadonlyArray<string>
  readonly options: Partial<Options>
  /** A seed that showed it. It is tried first; any other may show it as well. */
  readonly seed: number
}

const contractFault = (title: string): Partial<Options> => {
  const found = jobStoreFaults.find(({ foundBy }) => foundBy === title)
  if (found === undefined) throw new Error(`no fault is found by "${title}"`)
  return { adapters: found.layer }
}

/** Commits as somebody else writes them. */
export const committing = (change: (commit: Commits["Service"]["commit"]) => typeof commit) =>
  Layer.effect(
    Commits,
    Effect.map(Commits, ({ commit }) => Commits.of({ commit: change(commit) }))
  ).pipe(Layer.provide(Commits.layer))

const sending = (
  change: (post: WebhookSender["Service"]["post"]) => WebhookSender["Service"]["post"]
) =>
  Deliveries.layer.pipe(
    Layer.provide(
      Layer.effect(
        WebhookSender,
        Effect.map(WebhookSender, ({ post }) => WebhookSender.of({ post: change(post) }))
      )
    )
  )

const begins = ({ _tag, event }: JobEvent): boolean =>
  _tag === "Delivery" && event._tag === "AttemptStarted"

/** Keeps the beginning of an attempt in memory, and writes it with its end. */
const countedLate = committing((commit) => {
  const begun = new Map<string, Change>()
  return (change) => {
    const first = begun.get(change.job.id)
    begun.delete(change.job.id)
    if (change.events.some(begins)) {
      begun.set(change.job.id, change)
      return Effect.orDie(Effect.fromResult(applyCommit(change.job, change.events)))
    }
    return first === undefined
      ? commit(change)
      : commit({ ...change, job: first.job, events: [...first.events, ...change.events] })
  }
})

const aSecondEarlier = (happened: JobEvent): JobEvent =>
  happened._tag === "Delivery" && happened.event._tag === "RetryScheduled"
    ? {
        ...happened,
        event: {
          ...happened.event,
          dueAt: DateTime.subtract(happened.event.dueAt, { seconds: 1 })
        }
      }
    : happened

/** Takes a death of the process for a stop: whatever was in it goes back as it was. */
const unsuspicious = (happened: JobEvent): JobEvent =>
  happened._tag === "Transcription" && happened.event._tag === "AttemptLost"
    ? { ...happened, event: { _tag: "AttemptReleased", at: happened.event.at } }
    : happened

/** Gives a transcription up after two deaths. */
const impatient = Layer.succeed(RetryPolicies, {
  ...policies,
  Fetch: { ...policies.Fetch, deathMax: 2 },
  Transcribe: { ...policies.Transcribe, deathMax: 2 }
})

const withHeader = (post: WebhookPost, id: string): WebhookPost => ({
  ...post,
  headers: { ...post.headers, "webhook-id": id }
})

/** Gives each version the highest number and one, as it was when the call came in. */
const numberedByMax = replacing(PresetStore, ({ append, find }, { presets, slugs, versions }) => ({
  append: (draft) =>
    Effect.gen(function* () {
      const seen = yield* find(draft.workspaceId, draft.slug)
      yield* Effect.sleep("5 millis")
      if (Option.isNone(seen)) {
        slugs.delete(`${draft.workspaceId}/${draft.slug}`)
      } else {
        const { preset } = seen.value
        presets.set(preset.id, preset)
        versions.set(preset.id, (versions.get(preset.id) ?? []).slice(0, preset.latestVersion))
      }
      return yield* append(draft)
    })
}))

/** Acknowledges that a later version is designated, and writes nothing. */
const undesignated = replacing(PresetStore, ({ revise }) => ({
  revise: (revision) =>
    Option.exists(revision.designation, ({ to }) => to > 1) ? Effect.void : revise(revision)
}))

/** Writes whatever comes, whoever holds the lease and whatever was written since. */
const unfenced = replacing(JobStore, ({ commit }, { jobs }) => ({
  commit: (change) =>
    Effect.suspend(() => {
      const row = jobs.get(change.next.id)
      const revision = change.next.revision - 1
      if (row !== undefined) jobs.set(change.next.id, { ...row, job: { ...row.job, revision } })
      return commit({ ...change, token: Option.none() })
    })
}))

const linear = "the history of a preset is linear and dense"
const apart = "requests are at least 60 seconds apart"
const once = "a job is charged once, for its length, when it was transcribed"

export const plants: ReadonlyArray<Plant> = [
  {
    fault: "commits are fenced neither by the lease nor by the revision",
    seed: 422,
    breaks: ["statuses move along the tables only", "at most three requests are sent", apart, once],
    options: { adapters: unfenced }
  },
  {
    fault: "an attempt is counted after its POST",
    seed: 83,
    // The balance in the body is frozen by the beginning, which is lost with it.
    breaks: ["at most three requests are sent", apart, "every attempt has the same bytes"],
    options: { policies: { commits: countedLate } }
  },
  {
    fault: "a webhook is tried again after 59 seconds",
    seed: 8,
    breaks: [apart],
    options: {
      policies: {
        commits: committing(
          (commit) => (change) => commit({ ...change, events: change.events.map(aSecondEarlier) })
        )
      }
    }
  },
  {
    fault: "what a dead process worked on is repeated beside others",
    seed: 15,
    breaks: ["what was interrupted is repeated alone"],
    options: {
      policies: {
        commits: committing(
          (commit) => (change) => commit({ ...change, events: change.events.map(unsuspicious) })
        )
      }
    }
  },
  {
    fault: "a transcription is given up after two deaths",
    seed: 127,
    breaks: ["only what was interrupted alone three times is given up"],
    options: { policies: { references: impatient } }
  },
  {
    fault: "every attempt has a new webhook-id",
    seed: 8,
    breaks: ["every attempt has the same webhook-id"],
    options: {
      policies: {
        deliveries: sending((post) => {
          let count = 0
          return (request) => {
            count += 1
            return post(withHeader(request, `webhook ${count}`))
          }
        })
      }
    }
  },
  {
    fault: "every attempt has other bytes",
    seed: 9,
    breaks: ["every attempt has the same bytes"],
    options: {
      policies: {
        deliveries: sending(
          (post) => (request) =>
            post({ ...request, body: `${request.body} ${request.headers["webhook-timestamp"]}` })
        )
      }
    }
  },
  {
    fault: "any answer of a receiver is taken for 2xx",
    seed: 9,
    breaks: ["DELIVERED means that a receiver got it and answered 2xx"],
    options: {
      policies: {
        deliveries: sending(
          (post) => (request) => Effect.as(post(request), { status: 200, text: "" })
        )
      }
    }
  },
  {
    fault: "a version is the highest one and one, read before others write",
    seed: 1,
    breaks: [linear],
    options: { adapters: numberedByMax }
  },
  {
    fault: "a designation is acknowledged and not written",
    seed: 6,
    breaks: [linear],
    options: { adapters: undesignated }
  },
  {
    fault: "a job is charged before it is known that the commit holds",
    seed: 5,
    breaks: ["the ledger sums to the balance", once],
    options: contractFault("charges nothing by a commit without a charge or a refused one")
  },
  {
    fault: "a job is accepted without its work",
    seed: 12,
    breaks: ["every job ends within its bound"],
    options: contractFault("lets one of many inserts of one id win")
  },
  {
    fault: "a job is shown to every workspace",
    seed: 12,
    breaks: ["no workspace sees another's job"],
    options: contractFault("finds what was inserted, in its workspace only")
  },
  {
    fault: "a revoked key goes on opening",
    seed: 55,
    breaks: ["a revoked key opens nothing, any other key does"],
    options: {
      adapters: Layer.orDie(
        replacing(WorkspaceStore, () => ({ revokeKey: () => Effect.succeed(true) }))
      )
    }
  },
  {
    fault: "a job is acknowledged before it is written, and now and then it is not",
    seed: 2,
    breaks: ["an acknowledged job is never lost", "every job ends within its bound"],
    options: {
      adapters: Layer.orDie(
        replacing(JobStore, ({ insert }) => ({
          insert: (creation) =>
            Effect.delay(insert(creation), "1 seconds").pipe(
              Effect.timeout("1 seconds"),
              Effect.orElseSucceed(() => Option.none())
            )
        }))
      )
    }
  }
]
