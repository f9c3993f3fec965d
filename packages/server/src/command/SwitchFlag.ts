/** A flag that is either said or not. */
import { Flag } from "effect/cli"

/** Off unless it is said. */
export const makeSwitch = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))
