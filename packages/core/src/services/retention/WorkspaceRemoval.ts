/**
 * Removes the data of deleted workspaces in small steps: jobs with their media, presets, secrets
 * and keys. The ledger stays. Rows left over from removed presets are deleted too. Every step can
 * be repeated, and any number of processes can take steps.
 */
import { Cause, DateTime, Duration, Effect, Layer, Option, Schedule, Stream } from "effect"
import { findMediaKey } from "../../domain/job/Expiry.ts"
import type { Workspace, WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { endDeletion } from "../../domain/workspace/WorkspaceChange.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { PresetStore } from "../../ports/PresetStore.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { makeForgetMedia } from "../intake/Uploads.ts"
import { makeOutageLog, reasonOf } from "../OutageLog.ts"

/**
 * Number of jobs in a step. Each job is removed in its own transaction, and may have a ten-hour
 * transcript.
 */
const jobMax = 50

/** Number of preset rows in a step, in one transaction. */
const rowMax = 200

/** Number of workspaces that are read at a time. */
const workspaceMax = 50

/**
 * Creates an effect that takes one step for each workspace that is being deleted, and one step for
 * removed presets. It returns whether more steps remain.
 */
export const makeRemovalStep = Effect.gen(function* () {
  const { sweep: sweepPresets } = yield* PresetStore
  const clear = yield* makeClear
  const workspaces = yield* WorkspaceStore

  const deleting = Stream.paginate(null as WorkspaceId | null, (after) =>
    Effect.map(workspaces.deleting({ after, limit: workspaceMax }), (page) => {
      const last = page.length < workspaceMax ? undefined : page.at(-1)
      return [page, Option.fromUndefinedOr(last?.id)] as const
    })
  )

  /**
   * Removes data of a workspace. If that fails, it does not block others, and the next pass tries
   * again.
   */
  const clearAlone = (workspace: Workspace) =>
    Effect.catchCause(clear(workspace), (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.as(
            Effect.logWarning(`Workspace ${workspace.id} could not be removed yet`, cause),
            false
          )
    )

  /**
   * Deletes rows of removed presets. If that fails, it does not block other work, and the next pass
   * tries again.
   */
  const sweep = Effect.catchTag(sweepPresets(rowMax), "PresetStoreError", (error) =>
    Effect.as(Effect.logWarning("Rows of removed presets could not be deleted yet", error), false)
  )

  return deleting.pipe(
    Stream.mapEffect(clearAlone),
    Stream.runFold(
      () => false,
      (hasMore, isMore) => hasMore || isMore
    ),
    Effect.zipWith(sweep, (hasMore, isMore) => hasMore || isMore),
    Effect.withSpan("WorkspaceRemoval.step")
  )
})

/** Creates a function that takes one step for a workspace, and returns whether more remain. */
const makeClear = Effect.gen(function* () {
  const jobs = yield* JobStore
  const { clear: clearPresets } = yield* PresetStore
  const forget = yield* makeForgetMedia
  const workspaces = yield* WorkspaceStore
  const warned = new Set<WorkspaceId>()

  /**
   * Warns once per workspace about jobs that a newer release wrote. That release later removes
   * them, and the workspace is then deleted.
   */
  const warnAboutJobs = (id: WorkspaceId) =>
    Effect.suspend(() => {
      if (warned.has(id)) return Effect.succeed(false)
      warned.add(id)
      const reason = "it has jobs of a newer version, or damaged ones"
      const sentence = `Workspace ${id} is not deleted yet: ${reason}`
      return Effect.as(Effect.logWarning(sentence), false)
    })

  /** Removes jobs, except those written by a newer release, which only that release can remove. */
  const clearJobs = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
    const query = { workspaceId, status: Option.none(), after: Option.none(), limit: jobMax }
    const page = yield* jobs.list(query)
    for (const { id } of page) {
      const removed = yield* jobs.remove(workspaceId, id)
      if (Option.isNone(removed)) continue
      const media = findMediaKey(removed.value)
      if (Option.isSome(media)) yield* forget(media.value)
    }
    return page.length === jobMax
  })

  const clearAccess = Effect.fnUntraced(function* (id: WorkspaceId) {
    for (const secret of yield* workspaces.webhookSecrets(id)) {
      yield* workspaces.removeWebhookSecret(id, secret.id)
    }
    const now = yield* DateTime.now
    const keys = yield* workspaces.keys(id)
    for (const key of keys) yield* workspaces.revokeKey(key.id, now)
    // Keys that ended earlier are deleted here; the next pass deletes the keys that are revoked
    // now.
    yield* workspaces.forgetKeys(id, now)
    return keys.length > 0
  })

  return Effect.fnUntraced(function* (workspace: Workspace) {
    const { id } = workspace
    const hasJobs = yield* clearJobs(id)
    const hasPresets = yield* clearPresets(id, rowMax)
    if (hasJobs || hasPresets) return true
    if (yield* clearAccess(id)) return false
    const ended = endDeletion(workspace, yield* DateTime.now)
    if (ended === workspace) return false
    if (yield* jobs.hasAny(id)) return yield* warnAboutJobs(id)
    yield* workspaces.replace(ended)
    return false
  })
})

/**
 * Time between two passes when there is nothing to remove. Idle passes cost two small queries a
 * minute.
 */
export const passInterval: Duration.Duration = Duration.minutes(1)

/** Pause between two steps, in which the database can do other work. */
const stepInterval = Duration.millis(100)

/** Maximum number of steps in one pass; the next pass takes the rest. */
const stepMax = 500

/**
 * Runs a pass at the start and every minute. A pass takes steps while there is something to remove.
 */
export const workspaceCollection = Layer.effectDiscard(
  Effect.gen(function* () {
    const step = yield* makeRemovalStep
    const log = yield* makeOutageLog({
      failing: "Deleted workspaces cannot be removed",
      working: "Deleted workspaces can be removed",
      reminds: false
    })
    const pass = step.pipe(
      Effect.repeat({
        schedule: Schedule.spaced(stepInterval),
        while: (hasMore) => hasMore,
        times: stepMax
      }),
      Effect.andThen(log.worked),
      Effect.catchCause((cause) => log.failed(reasonOf(cause)))
    )
    yield* pass.pipe(Effect.andThen(Effect.sleep(passInterval)), Effect.forever, Effect.forkScoped)
  })
)
