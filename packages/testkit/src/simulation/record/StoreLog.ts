/**
 * Records the last work on each job and the deletion of its expired parts, even if the store's
 * caller got no response.
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

/** Records a commit's pieces, attempts and transcript. */
const logPieces = ({ attempts, commitAttempts, facts }: World, change: Commit): void => {
  const { events, forgotten, next, piece } = change
  const job = { id: next.id, attempt: commitAttempts.get(change) ?? 0 }
  for (const { event } of events) {
    if (event._tag === "AttemptStarted") facts.push({ _tag: "AttemptBegan", ...job })
    if (event._tag === "TranscriptProduced") facts.push({ _tag: "Transcribed", ...job })
    if (event._tag === "PieceRecognised" && piece !== undefined) {
      const { index } = piece
      const { workspaceId } = next
      const { isReused } = event
      facts.push({ _tag: "PieceStored", ...job, workspaceId, index, isReused })
      attempts.progressed(next.id, event)
    }
  }
  if (forgotten !== undefined) facts.push({ _tag: "PiecesGone", id: next.id })
}

/** Wraps the stores, so that their work on each job is recorded. */
export const logStores = (
  world: World,
  { observer, stores }: { readonly stores: Context.Context<Stores>; readonly observer: JobObserver }
): Context.Context<Stores> => {
  const { facts, timeline } = world
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
            if (Option.isSome(earlier)) return
            const { id, workspaceId } = creation.job
            worked(id, Option.isNone(creation.work))
            facts.push({ _tag: "Created", id, workspaceId })
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
            logPieces(world, change)
          })
        ),
      remove: (workspaceId, id, statuses) =>
        Effect.tap(jobs.remove(workspaceId, id, statuses), () =>
          Effect.sync(() => facts.push({ _tag: "PiecesGone", id }))
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
            for (const id of gone) {
              took(id, "job")
              facts.push({ _tag: "PiecesGone", id })
            }
          })
        )
    })
  )
}
