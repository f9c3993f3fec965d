/** The media of jobs, for callers who play it. */
import { Effect, Option } from "effect"
import { isMediaAwaited, type PlayableMedia, playableMedia } from "../domain/job/MediaRetention.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import type { MediaStoreError } from "../ports/MediaStore.ts"
import { trace } from "../ports/Trace.ts"
import { JobRecords } from "./JobRecords.ts"
import { MediaAwaited } from "./JobRefusals.ts"
import { MediaExpired } from "./Renewals.ts"
import { Uploads } from "./Uploads.ts"

/** Finds what there is to play of a job. */
export const makeFindMedia = Effect.map(JobRecords, (records) =>
  trace("Jobs.media")(function* (principal: Principal, id: string) {
    const job = yield* records.find(principal, id)
    const found = playableMedia(job)
    if (Option.isSome(found)) return found.value
    return yield* isMediaAwaited(job) ? new MediaAwaited() : new MediaExpired()
  })
)

/** Reads a stretch of it. It may have gone since it was found: then it is no longer stored. */
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

/** Reads a stretch of media. */
export type ReadMedia = Effect.Success<typeof makeReadMedia>
