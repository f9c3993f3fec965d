/** Calls about one job: the log names it, and the caller is known. */
import type { Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { Caller } from "../../contract/Authentication.ts"
import { note } from "../edge/Observation.ts"

/** A request whose path names a job. */
interface AboutJob {
  readonly params: { readonly id: string }
}

/** Notes the job of a request, and answers its caller. */
export const forJob = <A, E, R>(
  { params: { id } }: AboutJob,
  answer: (caller: Principal, id: string) => Effect.Effect<A, E, R>
) =>
  Effect.andThen(
    note({ jobId: id }),
    Effect.flatMap(Caller, (caller) => answer(caller, id))
  )
