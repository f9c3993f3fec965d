/**
 * Removes the media of a job that has its transcript. The job is looked at again first: what is
 * removed cannot be brought back.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Job } from "../domain/job/Job.ts"
import { MediaRetention } from "../domain/job/MediaRetention.ts"
import { JobStore } from "../ports/JobStore.ts"
import { MediaStore } from "../ports/MediaStore.ts"
import { answerTimeout } from "../services/Commits.ts"
import { MediaIdentity } from "../services/MediaIdentity.ts"

type Ports = JobStore | MediaIdentity | MediaStore

export class MediaCleaning extends Context.Service<
  MediaCleaning,
  {
    /**
     * Removes what a commit has made needless. What stays behind because something did not answer
     * is removed by the collection.
     */
    readonly clean: (before: Job, after: Job) => Effect.Effect<void>
  }
>()("@verbatim/core/worker/MediaCleaning") {
  static readonly layer: Layer.Layer<MediaCleaning, never, Ports> = Layer.effect(
    MediaCleaning,
    Effect.gen(function* () {
      const { find } = yield* JobStore
      const { remove } = yield* MediaStore
      const { isKept } = yield* MediaRetention
      const { mustBeOurs } = yield* MediaIdentity

      const isTranscribed = Effect.fnUntraced(function* ({ id, workspaceId }: Job) {
        const job = yield* find(workspaceId, id)
        return Option.exists(job, ({ transcription }) => transcription._tag === "Transcribed")
      })

      const clean = Effect.fnUntraced(
        function* (before: Job, after: Job) {
          const { transcription } = before
          if (isKept || transcription._tag !== "Running") return
          if (after.transcription._tag !== "Transcribed" || !(yield* isTranscribed(after))) return
          // The store may have gone to another database while the recording was heard.
          yield* mustBeOurs("remove")
          yield* remove(transcription.media.key)
        },
        Effect.timeout(answerTimeout),
        Effect.catch((error) => Effect.logWarning("Media stays for now", error))
      )

      return MediaCleaning.of({ clean })
    })
  )
}
