/** Processes that correct and read one transcript, for the laws of corrections. */
import { Deliveries, Services, Transcripts } from "@verbatim/core/services"
import type { Transcript } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, Layer } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { FakeMedia } from "../fakes/FakeMedia.ts"
import { FakeWebhookSender } from "../fakes/FakeWebhookSender.ts"
import { apiKeyId, userId, workspaceId } from "../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../samples/SampleEvent.ts"
import { makeOwingJob, makeUploadJob } from "../samples/SampleJob.ts"
import { transcriptOf } from "../samples/SampleTranscript.ts"
import { instant } from "../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../samples/Stored.ts"

/** A transcript that is read at once. */
export const short: Transcript = transcriptOf(
  Array.from({ length: 20 }, (_, index) => `Segment ${index}.`)
)

/** Long enough to be read in several parts. */
export const long: Transcript = transcriptOf(
  Array.from({ length: 4_000 }, (_, index) => `Segment ${index}, ${"spoken ".repeat(10)}`)
)

const crypto = Layer.provideMerge(
  Layer.merge(Digest.layerWebCrypto, Mac.layerWebCrypto),
  SecureRandom.layerWebCrypto
)

/** The services of one process. */
export const makeServices = Layer.build(
  Services.layer.pipe(
    Layer.merge(
      Deliveries.layer.pipe(
        Layer.provide(Transcripts.layer),
        Layer.provide(FakeWebhookSender.layer)
      )
    ),
    Layer.provide([Layer.provide(FakeMedia.layer, crypto), crypto]),
    Layer.fresh
  )
)

/** Callers by number: users of one workspace, each with a key. */
export const principalOf = (number: number): Principal => ({
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(number),
  keyId: apiKeyId(number)
})

/** A job with that transcript, whose webhook is still to be sent. */
export const insertHeard = Effect.fnUntraced(function* (transcript: Transcript) {
  const { delivery } = makeOwingJob(1, { kind: "Deliver", dueAt: instant })
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(1, { delivery })), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, { events: [transcriptProduced()], transcript })
})
