/**
 * Removes what deleted workspaces and removed presets had, beside the work on jobs.
 */
import { Duration, Effect, Layer, Schedule } from "effect"
import { makeOutageLog, reasonOf } from "../services/OutageLog.ts"
import { WorkspaceRemoval } from "../services/retention/WorkspaceRemoval.ts"

/** Between two looks while nothing is to be removed: two small queries a minute. */
export const lookInterval: Duration.Duration = Duration.minutes(1)

/** Between two steps: the database has other things to do. */
const stepInterval = Duration.millis(100)

/** Steps of one look at most; whoever is slower than this goes on with the next look. */
const stepMax = 500

/** Looks at the start and every minute, and takes steps while there is something to remove. */
export const layer: Layer.Layer<never, never, WorkspaceRemoval> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { step } = yield* WorkspaceRemoval
    const log = yield* makeOutageLog({
      failing: "Deleted workspaces cannot be removed",
      working: "Deleted workspaces can be removed",
      reminds: false
    })
    const look = step.pipe(
      Effect.repeat({
        schedule: Schedule.spaced(stepInterval),
        while: (hasMore) => hasMore,
        times: stepMax
      }),
      Effect.andThen(log.worked),
      Effect.catchCause((cause) => log.failed(reasonOf(cause)))
    )
    yield* look.pipe(Effect.andThen(Effect.sleep(lookInterval)), Effect.forever, Effect.forkScoped)
  })
)
