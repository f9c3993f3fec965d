/** What somebody is told next who follows a job, from the place where it is. */
import { Effect, Option } from "effect"
import type { ChangeEntry, JobChange } from "../ports/Changes.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import { entriesBeyond, type JobChannel } from "./FeedHub.ts"

/** What somebody is told who follows a job. */
export type JobNotice =
  | { readonly _tag: "Committed"; readonly entry: ChangeEntry }
  /** From 0 to 1. It has no place in the history: only the latest one is told. */
  | { readonly _tag: "Progressed"; readonly progress: number }
  /** Nothing more happens to it, unless somebody asks for it. This is the last notice. */
  | { readonly _tag: "Ended"; readonly revision: number }
  /** It was deleted, or there was no such job. This is the last notice. */
  | { readonly _tag: "Gone" }

/** What is told of a job that is not there. */
export const gone: JobNotice = { _tag: "Gone" }

/** Where somebody is who follows a job. */
export interface JobPlace {
  readonly revision: number
  readonly progress: number | undefined
  /** What was read before anything else. */
  readonly first: Option.Option<JobChange>
}

/** From where it is told: a channel, and the store for whoever is behind that. */
export interface JobSource {
  readonly channel: JobChannel
  readonly read: (beyond: number) => Effect.Effect<Option.Option<JobChange>, JobStoreError>
}

/** How a job stands for somebody who is at a place; none while there is nothing new. */
const findChange = (
  { channel, read }: JobSource,
  { first, progress, revision }: JobPlace
): Option.Option<Effect.Effect<Option.Option<JobChange>, JobStoreError>> => {
  if (Option.isSome(first)) return Option.some(Effect.succeed(first))
  if (channel.isGone) return Option.some(Effect.succeedNone)
  const isNew = channel.revision > revision
  if (!isNew && Option.getOrElse(channel.progress, () => progress) === progress) {
    return Option.none()
  }
  const entries = isNew ? entriesBeyond(channel, revision) : Option.some([])
  return Option.some(
    Option.match(entries, {
      onNone: () => read(revision),
      onSome: (known) => Effect.succeedSome({ ...channel, entries: known })
    })
  )
}

/** Waits for what comes next, and tells it. */
export const nextOfJob = Effect.fnUntraced(function* (source: JobSource, place: JobPlace) {
  let found = findChange(source, place)
  while (Option.isNone(found)) {
    yield* source.channel.news.await
    found = findChange(source, place)
  }
  const change = yield* found.value
  if (Option.isNone(change)) return [[gone], Option.none<JobPlace>()] as const
  const { entries, owesWork } = change.value
  // Also where a store told fewer commits than there are: it would be asked again for ever.
  const revision = Math.max(place.revision, change.value.revision)
  const progress = owesWork ? Option.getOrUndefined(change.value.progress) : undefined
  const notices: ReadonlyArray<JobNotice> = [
    ...entries.map((entry) => ({ _tag: "Committed" as const, entry })),
    ...(progress === undefined || progress === place.progress
      ? []
      : [{ _tag: "Progressed" as const, progress }]),
    ...(owesWork ? [] : [{ _tag: "Ended" as const, revision }])
  ]
  const next: JobPlace = { revision, progress: progress ?? place.progress, first: Option.none() }
  return [notices, owesWork ? Option.some(next) : Option.none()] as const
})
