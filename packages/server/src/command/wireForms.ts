/** The forms in which the API shows things, for commands that print them as it does. */
import { Effect } from "effect"

/** Read where something is shown: other commands start earlier without the API. */
export const wireForms = Effect.promise(() => import("@verbatim/http"))
