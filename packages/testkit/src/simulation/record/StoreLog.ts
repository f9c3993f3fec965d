/**
 * Records what the stores did to each job, whether or not the caller got the answer. The record has
 * the last work on the job, and the parts that were deleted because they expired.
 */
import { type Commit, JobStore, RetentionStore, type Stores } from "@verbatim/core/ports"
import { Context, Effect, Option } from "effect"
import type { World } from "../world/World.ts"
import type { FactOf } from "./Facts.ts"

const isTaking = ({ events }: Commit): boolean =>
  events.length > 0 && events.every(({ _tag }) => _tag === "Keeping")

/** The part of a job that each event deletes. */
const goes: Readonly<Record<string, "media" | "transcript">> = {
  MediaExpired: "media",
  TranscriptExpired: "transcript"
}

/** Called for each expired job that a keeper finds. */
export interface JobObserver {
  onFound: (id: string) => void
}

/** Wraps the stores so that their work is recorded. */
export const logStores = (
  { facts, timeline }: World,
  { observer, stores }: { readonly stores: Context.Context<Stores>; readonly observer: JobObserver }
): Context.Context<Stores> => {
  const jobs = Context.get(stores, JobStore)
  const retention = Context.get(stores, RetentionStore)
  const worked = (id: string, isOver: boolean) =>
    facts.push({ _tag: "Worked", id, at: timeline.now(), isOver })
  const took = (id: string, what: FactOf<"Took">["what"]) =>
    facts.push({ _tag: "Took", id, what, at: timeline.now() })
  return stores.pipe(
    Context.add(JobStore, {
      ...jobs,
      insert: (creation) =>
        Effect.tap(jobs.insert(creation), (earlier) =>
          Effect.sync(() => {
            if (Option.isNone(earlier)) worked(creation.job.id, Option.isNone(creation.work))
          })
        ),
      commit: (change) =>
        Effect.tap(jobs.commit(change), () =>
          Effect.sync(() => {
            for (const { event } of change.events) {
              const what = goes[event._tag]
              if (what !== undefined) took(change.next.id, what)
            }
            if (!isTaking(change)) worked(change.next.id, Option.isNone(change.work))
          })
        )
    }),
    Context.add(RetentionStore, {
      ...retention,
      ended: (query) =>
        Effect.tap(retention.ended(query), (found) =>
          Effect.sync(() => {
            for (const { id } of found) observer.onFound(id)
          })
        ),
      remove: (workspaceId, given) =>
        Effect.tap(retention.remove(workspaceId, given), (gone) =>
          Effect.sync(() => {
            for (const id of gone) took(id, "job")
          })
        )
    })
  )
}
