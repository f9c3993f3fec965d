/** What happens to the first of many effects only. */
import { Effect } from "effect"

/** Lets the first effect that it is given begin after another one; the others as they are. */
export const delayFirst = (wait: Effect.Effect<void>) => {
  let count = 0
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => (count++ === 0 ? Effect.andThen(wait, effect) : effect))
}
