/** What a host plays and draws of a job: its recording, while it is kept, and how loud that is. */
import { Jobs } from "@verbatim/core/services"
import { Effect, Stream } from "effect"
import { InvalidInput } from "../Errors.ts"
import { makeAbout } from "./AboutJob.ts"
import { judgingAll } from "./Arguments.ts"
import { playingCalls } from "./Calls.ts"
import type { Run } from "./Host.ts"
import type { JobReference } from "./JobReference.ts"
import { toIterable } from "./Listening.ts"
import type { Owners } from "./Workspaces.ts"

/** Which bytes of a recording: all of them where it is left out. */
export interface MediaStretch {
  /** The first one. Default: 0. */
  readonly from?: number
  /** The first one that is not wanted any more. Default: the end. */
  readonly to?: number
}

/** A recording, or a stretch of it. */
export interface JobMedia {
  readonly contentType: string
  /** As it was sent; empty where that is not known. */
  readonly filename: string
  /** Of the whole recording. */
  readonly byteLength: number
  /** The bytes, once. Nothing is opened before the first are wanted, nor after the loop is left. */
  readonly content: AsyncIterableIterator<Uint8Array, undefined>
}

/** How loud a recording is over its time. */
export interface JobPeaks {
  /** Seconds of the whole recording. */
  readonly duration: number
  /** Seconds to a pair; the last one may have less. */
  readonly interval: number
  /** The least and the greatest sample of each interval in turn, from -128 to 127. */
  readonly peaks: ReadonlyArray<number>
}

/** Plays and draws jobs. */
export interface PlayingMethods {
  /** The recording; `Refused` while it is not stored yet, and once it is no longer. */
  readonly media: (job: JobReference, stretch?: MediaStretch) => Promise<JobMedia>
  /** Its peaks; `NotFound` where there is no transcript, or none that was made with peaks. */
  readonly peaks: (job: JobReference) => Promise<JobPeaks>
}

/** A player may ask for more than there is, but not for what begins behind the end. */
const clip = (byteLength: number, { from = 0, to = byteLength }: MediaStretch) => {
  const end = Math.min(to, byteLength)
  if (from <= end) return Effect.succeed({ from, to: end })
  const message = `stretch: from must be at most ${end}, where it ends`
  return Effect.fail(new InvalidInput({ code: "InvalidStretch", message }))
}

/** Makes the methods. */
export const makePlaying = ({
  owners,
  run
}: {
  readonly owners: Owners
  readonly run: Run
}): PlayingMethods => {
  const about = makeAbout(owners, Jobs)

  return judgingAll<PlayingMethods>(playingCalls, {
    media: (job, wanted = {}) =>
      run(
        about(job, (jobs, principal) =>
          Effect.gen(function* () {
            const found = yield* jobs.media(principal, job.id)
            const { contentType, filename, media } = found
            const stretch = yield* clip(media.byteLength, wanted)
            const content = toIterable<Uint8Array>((tell, leaving) =>
              run(
                Effect.scoped(
                  Effect.flatMap(jobs.readMedia(found, stretch), (bytes) =>
                    Stream.runForEach(bytes, (piece) => Effect.promise(() => tell(piece)))
                  )
                ),
                leaving
              )
            )
            return { contentType, filename, byteLength: media.byteLength, content }
          })
        )
      ),
    peaks: (job) => run(about(job, (jobs, principal) => jobs.peaks(principal, job.id)))
  })
}
