/** The peaks of jobs, for callers who draw how loud a recording is. */
import { Effect, Option } from "effect"
import { toPeaksView } from "../domain/transcription/DecodedAudio.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { JobStore } from "../ports/JobStore.ts"
import { trace } from "../ports/Trace.ts"
import { JobRecords } from "./JobRecords.ts"
import { PeaksMissing } from "./JobRefusals.ts"

/** Reads the peaks of a job: of a transcript that is there, made since peaks are stored. */
export const makeReadPeaks = Effect.gen(function* () {
  const records = yield* JobRecords
  const store = yield* JobStore
  return trace("Jobs.peaks")(function* (principal: Principal, id: string) {
    const job = yield* records.find(principal, id)
    const found = yield* store.peaks(job.id)
    return Option.isSome(found) ? toPeaksView(found.value) : yield* new PeaksMissing()
  })
})

/** Reads the peaks of a job. */
export type ReadPeaks = Effect.Success<typeof makeReadPeaks>
