/** The recordings of jobs, for playback. */
import { Effect, Option } from "effect"
import {
  isMediaAwaited,
  type PlayableMedia,
  playableMedia
} from "../../domain/job/MediaRetention.ts"
import { toPeaksView } from "../../domain/transcription/DecodedAudio.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { JobStore } from "../../ports/JobStore.ts"
import type { MediaStoreError } from "../../ports/MediaStore.ts"
import { trace } from "../../ports/Trace.ts"
import { Uploads } from "../intake/Uploads.ts"
import { JobRecords } from "./JobRecords.ts"
import { MediaAwaited, PeaksMissing } from "./JobRefusals.ts"
import { MediaExpired } from "./Renewals.ts"
/** Finds the recording of a job. */
export const makeFindMedia = Effect.map(JobRecords, (records) =>
  trace("Jobs.media")(function* (principal: Principal, id: string) {
    const job = yield* records.find(principal, id)
    const found = playableMedia(job)
    if (Option.isSome(found)) return found.value
    return yield* isMediaAwaited(job) ? new MediaAwaited() : new MediaExpired()
  })
)

/**
 * Reads a range of a recording. If the recording was removed after it was found, it is reported as
 * no longer stored.
 */
export const makeReadMedia = Effect.map(
  Uploads,
  ({ read }) =>
    (
      { media: { key } }: PlayableMedia,
      { from, to }: { readonly from: number; readonly to: number }
    ) =>
      read({ key, from, to }).pipe(Effect.catchIf(isMissing, () => Effect.fail(new MediaExpired())))
)

const isMissing = ({ reason }: MediaStoreError): boolean => reason._tag === "Missing"

/** Reads a range of a recording. */
export type ReadMedia = Effect.Success<typeof makeReadMedia>

/**
 * Reads the peaks of a job, if its transcript exists and was made by a release that stores peaks.
 */
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
