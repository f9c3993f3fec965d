/** The name of a hook as a host gives it. */
import { Hook } from "@verbatim/core/notice"
import { Effect } from "effect"
import { refuseUnknown } from "./Judgement.ts"

/** That hook; a name that no hook has is refused, also where a program has no types. */
export const knownHook = (name: Hook = "finished"): Effect.Effect<Hook> =>
  Effect.sync(() => {
    refuseUnknown({ [name]: true }, Hook.literals)
    return name
  })
