/** A deployment whose store loses transcripts after their first part, as when a job is deleted. */
import { Effect, Option } from "effect"
import * as Deployment from "./Deployment.ts"

export const losing = Deployment.layer({
  jobStore: (store) => ({
    ...store,
    transcriptPart: (id, before) =>
      Option.isSome(before) ? Effect.succeedNone : store.transcriptPart(id, before)
  })
})
