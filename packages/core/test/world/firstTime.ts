/** Runs a hook before only the first of many effects. */
import { Effect } from "effect"

/** Runs another effect before the first effect that it receives; later effects run unchanged. */
export const delayFirst = (wait: Effect.Effect<void>) => {
  let count = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (count++ === 0 ? Effect.andThen(wait, effect) : effect))
}
