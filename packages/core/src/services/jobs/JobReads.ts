/** Finds jobs for their callers, and defines the errors that can occur when reading a job. */

import { Effect, Option, Schema } from "effect"
import { JobId } from "../../domain/attempt/Attempt.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

/** The workspace has no job with that id. */
export class RequestNotFound extends refusal<RequestNotFound>()("RequestNotFound", {
  sentence: "The workspace has no such job"
}) {}

/** The media at the URL has not been fetched yet. */
export class MediaAwaited extends refusal<MediaAwaited>()("MediaAwaited", {
  sentence: "The file is not stored yet"
}) {}

/**
 * The transcript was deleted, does not exist yet, or was produced by a release that did not store
 * peaks.
 */
export class PeaksMissing extends refusal<PeaksMissing>()("PeaksMissing", {
  sentence: "No peaks are stored for this job"
}) {}

/**
 * The job ended without a transcript, because its media was never fetched, or could not be
 * transcribed.
 */
export class TranscriptMissing extends refusal<TranscriptMissing>()("TranscriptMissing", {
  fields: { during: Schema.Literals(["Fetching", "Running"]) },
  sentence: "The job ended without a transcript"
}) {}

const decodeId = Schema.decodeOption(JobId)

/** The workspace in which a job is looked up. */
export type JobScope = Pick<Principal, "workspaceId">

/** Creates a function that finds a job in the caller's workspace. */
export const makeFindJob = Effect.map(JobStore, (store) =>
  Effect.fnUntraced(function* ({ workspaceId }: JobScope, id: string) {
    const valid = decodeId(id)
    if (Option.isNone(valid)) return yield* new RequestNotFound()
    const job = yield* store.find(workspaceId, valid.value)
    return Option.isNone(job) ? yield* new RequestNotFound() : job.value
  })
)

/**
 * Creates a function that finds the workspace of a job for operators, with its balance. Jobs of a
 * workspace whose deletion has begun are not found.
 */
export const makeFindOwner = Effect.gen(function* () {
  const store = yield* JobStore
  const workspaces = yield* Workspaces

  return Effect.fnUntraced(function* (id: string) {
    const valid = decodeId(id)
    if (Option.isNone(valid)) return yield* new RequestNotFound()
    const found = (yield* store.present([valid.value])).get(valid.value)
    if (found === undefined || Option.isNone(found)) return yield* new RequestNotFound()
    const account = yield* workspaces.account(found.value.workspaceId)
    const { _tag } = account.workspace
    return _tag === "Active" || _tag === "Disabled" ? account : yield* new RequestNotFound()
  })
})
