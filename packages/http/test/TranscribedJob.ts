/** Creates transcribed jobs in the test workspace. */
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  makeUploadJob,
  type transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Effect, Option, Redacted } from "effect"
import * as Deployment from "./Deployment.ts"

/** Creates a transcribed job, unless it already exists. */
export const transcribed = Effect.fnUntraced(function* (number: number, given: typeof transcript) {
  const jobs = yield* JobStore
  const { authenticate } = yield* ApiKeys
  const { workspaceId } = yield* authenticate(Redacted.make(Deployment.keys.inference))
  const job = makeUploadJob(number, { workspaceId })
  if (Option.isNone(yield* Effect.option(jobs.insert(creation(job))))) return job
  const running = commitOf(job, { events: [attemptStarted()] })
  yield* jobs.commit(running)
  yield* jobs.commit(commitOf(running.next, { events: [transcriptProduced()], transcript: given }))
  return job
})

/**
 * A deployment with a store that loses the rest of a transcript after its first part, as if the job
 * were deleted.
 */
export const losing = Deployment.layer({
  jobStore: (store) => ({
    ...store,
    transcriptPart: (id, before) =>
      Option.isSome(before) ? Effect.succeedNone : store.transcriptPart(id, before)
  })
})
