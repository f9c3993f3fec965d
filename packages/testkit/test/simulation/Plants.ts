/** Faults planted into adapters and policies, each with the guarantee that it must break. */

import { applyCommit, type JobEvent } from "@verbatim/core/job"
import {
  type Changes,
  CorrectionStore,
  JobStore,
  PresetStore,
  RetentionStore,
  WebhookSender
} from "@verbatim/core/ports"
import { type Change, Commits, Deliveries } from "@verbatim/core/services"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Options } from "#src/simulation/Simulation"
import { replacing } from "../faults/Fault.ts"
import { jobStoreFaults } from "../faults/JobStoreFaults.ts"
import { atStoredRevision } from "../faults/OtherStoreFaults.ts"

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

const linear = "a preset does one thing after another"
const left = "a preset that is removed leaves nothing"
const apart = "requests are at least 60 seconds apart"
const once = "a job is charged once, for its length, when it was transcribed"

const heard = "a follower hears every commit once, in order"

type Stretch = Option.Option.Value<Changes["feed"]>

/** Changes what followers of workspaces are told. */
const telling = (change: (stretch: Stretch) => Stretch) =>
  replacing(JobStore, ({ changes }) => ({
    changes: (query) =>
      Effect.map(changes(query), ({ feed, jobs }) => ({ jobs, feed: Option.map(feed, change) }))
  }))

const repeatLast = () => {
  let last: Stretch["entries"] = []
  return (stretch: Stretch): Stretch => {
    const entries = [...last, ...stretch.entries]
    last = stretch.entries.slice(-1)
    return { ...stretch, entries }
  }
}

type Commit = Parameters<CorrectionStore["Service"]["commit"]>[0]

export const plants: ReadonlyArray<Plant> = [
  {
    fault: "commits are fenced neither by the lease nor by the revision",
    seed: 76,
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
    fault: "a version is the highest one and one, read before others write",
    seed: 18,
    breaks: [linear],
    options: { adapters: numberedByMax }
  },
  {
    fault: "a designation is acknowledged and not written",
    seed: 36,
    breaks: [linear],
    options: { adapters: undesignated }
  },
  {
    fault: "a job is charged before it is known that the commit holds",
    seed: 26,
    breaks: ["the ledger sums to the balance", once],
    options: contractFault("charges nothing by a commit without a charge or a refused one")
  },
  {
    fault: "a job is shown to every workspace",
    seed: 12,
    breaks: ["no workspace sees another's job"],
    options: contractFault("finds what was inserted, in its workspace only")
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
  },
  {
    fault: "nobody looks which labels are protected",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ revise }) => ({
        protectedLabels: () => Effect.succeed([]),
        revise: (revision) => revise({ ...revision, freeLabels: [] })
      }))
    },
    seed: 30
  },
  {
    fault: "a staged version is designated",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ append }) => ({
        append: (draft) => append({ ...draft, stage: false })
      }))
    },
    seed: 5
  },
  {
    fault: "the removal of a preset is acknowledged and not written",
    breaks: [linear],
    options: { adapters: replacing(PresetStore, () => ({ remove: () => Effect.void })) },
    seed: 34
  },
  {
    fault: "versions of a removed preset are left behind",
    breaks: [left],
    options: {
      adapters: replacing(PresetStore, ({ remove }, { versions }) => ({
        remove: (wanted) =>
          Effect.suspend(() => {
            const own = versions.get(wanted.presetId)
            return Effect.tap(remove(wanted), () =>
              Effect.sync(() => own && versions.set(wanted.presetId, own))
            )
          })
      }))
    },
    seed: 22
  },
  {
    fault: "names of speakers are those of the version before",
    breaks: ["a transcript is read as one version of its corrections"],
    options: {
      adapters: replacing(CorrectionStore, ({ current, overlayAt }) => ({
        current: (id) =>
          Effect.flatMap(
            current(id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (found) =>
                Effect.map(overlayAt(id, found.version - 1), ({ speakers }) =>
                  Option.some({ ...found, overlay: { ...found.overlay, speakers } })
                )
            })
          )
      }))
    },
    seed: 13
  },
  {
    fault: "corrections stay without their transcript",
    breaks: ["no job goes by half"],
    options: {
      adapters: replacing(CorrectionStore, ({ commit, current }) => {
        const kept = new Map<string, Commit["next"]>()
        return {
          commit: (change) =>
            Effect.tap(commit(change), () =>
              Effect.sync(() => kept.set(change.next.id, change.next))
            ),
          current: (id) =>
            Effect.map(
              current(id),
              Option.orElse(() => Option.fromUndefinedOr(kept.get(id)))
            )
        }
      })
    },
    seed: 13
  },
  {
    fault: "the time of keepers is a day ahead",
    breaks: ["nothing of a job goes before its time"],
    options: {
      adapters: replacing(JobStore, (store) => ({
        now: Effect.map(store.now, (now) => DateTime.addDuration(now, Duration.days(1)))
      }))
    },
    seed: 2
  },
  {
    fault: "an old job is removed whatever became of it meanwhile",
    breaks: ["nothing of a job goes before its time"],
    options: {
      adapters: replacing(RetentionStore, ({ remove }, tables) => ({
        remove: (id, given) =>
          Effect.suspend(() => remove(id, atStoredRevision(tables, given))).pipe(
            Effect.delay(Duration.seconds(25))
          )
      }))
    },
    seed: 38
  },
  {
    fault: "a summary outlives the transcript",
    breaks: ["no job goes by half"],
    options: {
      adapters: replacing(JobStore, ({ commit }) => ({
        commit: (change) =>
          commit(
            change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } }
          )
      }))
    },
    seed: 41
  },
  {
    fault: "a follower is not told of the first commit of a stretch",
    breaks: [heard],
    options: {
      adapters: telling(({ entries, ...rest }) => ({ ...rest, entries: entries.slice(1) }))
    },
    seed: 1
  },
  {
    fault: "a follower is told again of the last commit that it heard",
    breaks: [heard],
    options: { adapters: telling(repeatLast()) },
    seed: 1
  }
]
