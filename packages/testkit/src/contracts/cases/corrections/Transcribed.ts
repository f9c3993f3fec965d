/** What the cases of a `CorrectionStore` share. */
import type { CorrectionDecision } from "@verbatim/core/correction"
import {
  CorrectionStore,
  type JobStore,
  type RetentionStore,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"

/** The ports that the cases ask. */
export type Ports = CorrectionStore | JobStore | RetentionStore | WorkspaceStore

/** Stores a job with its transcript. */
export const insertTranscribed = Effect.fnUntraced(function* (number: number) {
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, { events: [transcriptProduced()], transcript })
})

/** Writes versions, one after the other. */
export const commitAll = Effect.fnUntraced(function* (
  decisions: ReadonlyArray<CorrectionDecision>
) {
  const store = yield* CorrectionStore
  for (const decision of decisions) yield* store.commit(decision)
})

/** Everything that is stored of the corrections of a job. */
export const storedCorrections = Effect.fnUntraced(function* (number: number) {
  const store = yield* CorrectionStore
  const id = jobId(number)
  const versions = yield* store.versions(id, { before: Option.none(), limit: 100 })
  return {
    current: Option.getOrNull(yield* store.current(id)),
    numbers: versions.map(({ version }) => version),
    whole: yield* Effect.forEach(versions, ({ version }) =>
      Effect.map(store.version(id, version), Option.getOrNull)
    )
  }
})

/** What is stored where nothing is. */
export const nothing = { current: null, numbers: [], whole: [] }
