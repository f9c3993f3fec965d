/** What happens to a database while it is checked, as far as the check can bring it about. */
import type { JobId } from "@verbatim/core/attempt"
import { Context, type Effect, Layer } from "effect"

/** A row, or the nearest thing to it that can be locked. */
export interface Row {
  /**
   * An idempotency key, or a workspace whose unfinished jobs are limited, is held by a host that
   * hands in a job and rolls it back.
   */
  readonly of: "job" | "key" | "preset" | "work" | "workspace"
  /** The id of the job or of the workspace, the slug of the preset, or the key. */
  readonly id: string
}

export class Troubles extends Context.Service<
  Troubles,
  {
    /** Whether `hold` locks that row alone, so that nothing else has a reason to wait. */
    readonly holdsRows: boolean
    /** Keeps others from writing a row while an effect runs. */
    readonly hold: <A, E, R>(
      row: Row,
      during: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, unknown, R>
    /** Makes leases lapse, as time would; none where only time can. */
    readonly lapse: ((ids: ReadonlyArray<JobId>) => Effect.Effect<void, unknown>) | undefined
    /**
     * Waits until nothing that callers have given up is still under way, and runs an effect without
     * losing any of its answers.
     */
    readonly calmly: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R>
  }
>()("@verbatim/testkit/concurrency/Troubles") {
  /** Nothing happens to it: leases lapse by time alone. */
  static readonly none: Layer.Layer<Troubles> = Layer.succeed(Troubles, {
    holdsRows: false,
    hold: (_row, during) => during,
    lapse: undefined,
    calmly: (effect) => effect
  })
}
