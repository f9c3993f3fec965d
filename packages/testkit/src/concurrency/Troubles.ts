/** Disturbances that a check can cause in its database, such as row locks. */
import type { JobId } from "@verbatim/core/attempt"
import { Context, type Effect, Layer } from "effect"

/** A row to lock, or the smallest unit around it that the database can lock. */
export interface Row {
  readonly of: "job" | "preset" | "work"
  /** The id of the job, or the preset's slug. */
  readonly id: string
}

export class Troubles extends Context.Service<
  Troubles,
  {
    /** Prevents other callers from writing a row while an effect runs. */
    readonly hold: <A, E, R>(
      row: Row,
      during: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, unknown, R>
    /** Expires leases early. Undefined if leases expire only with time. */
    readonly lapse: ((ids: ReadonlyArray<JobId>) => Effect.Effect<void, unknown>) | undefined
    /**
     * Waits until no abandoned call is running, and then runs an effect without losing a response.
     */
    readonly calmly: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R>
  }
>()("@verbatim/testkit/concurrency/Troubles") {
  /** No disturbances: leases expire only with time. */
  static readonly none: Layer.Layer<Troubles> = Layer.succeed(Troubles, {
    hold: (_row, during) => during,
    lapse: undefined,
    calmly: (effect) => effect
  })
}
