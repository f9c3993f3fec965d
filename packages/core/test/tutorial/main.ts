/**
 * Prints a job's pending work from its acceptance to its end. It needs no store, clock or fiber.
 */
import { JobId } from "@verbatim/core/attempt"
import * as Delivery from "@verbatim/core/delivery"
import {
  applyCommit,
  createJob,
  isTerminal,
  type Job,
  JobEvent,
  pendingWork
} from "@verbatim/core/job"
import * as Transcription from "@verbatim/core/transcription"
import { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Option, Result } from "effect"

const at = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const id = JobId.make("01900007-0000-7000-8000-000000000001")
const media = {
  key: Transcription.makeMediaKey({ jobId: id, attempt: 0, extension: ".mp3" }),
  extension: ".mp3",
  byteLength: 1_000_000
} as const

const accepted = createJob({
  id,
  workspaceId: WorkspaceId.make("01900001-0000-7000-8000-000000000001"),
  deliveryId: Delivery.DeliveryId.make("01900008-0000-7000-8000-000000000001"),
  request: Transcription.TranscriptionRequest.make({
    source: { _tag: "Upload", filename: "meeting.mp3" },
    callback: { url: "https://hooks.example.com", modifier: null },
    callbackId: null,
    initialPrompt: null,
    isDiarized: false,
    isVadFiltered: false,
    language: null,
    summary: null,
    template: null
  }),
  media: Option.some(media),
  at
})

const { AttemptStarted, TranscriptProduced } = Transcription.Event.cases
const onTranscription = (event: Transcription.Event) => JobEvent.cases.Transcription.make({ event })
const onDelivery = (event: Delivery.Event) => JobEvent.cases.Delivery.make({ event })
const sending = Delivery.Event.cases.AttemptStarted.make({ at, frozen: { balanceMillis: 0 } })

const commits: ReadonlyArray<JobEvent> = [
  onTranscription(AttemptStarted.make({ at })),
  onTranscription(
    TranscriptProduced.make({
      at,
      durationMillis: 61_000,
      language: "en",
      isEmpty: false,
      engine: "any",
      isMediaKept: false
    })
  ),
  onDelivery(sending),
  onDelivery(Delivery.Event.cases.ReceiverAccepted.make({ at, status: 204 }))
]

const print = (job: Job): void => {
  const work = Option.match(pendingWork(job), {
    onNone: () => "nothing",
    onSome: ({ kind }) => kind
  })
  console.log(`revision ${job.revision}, pending: ${work}${isTerminal(job) ? " (ended)" : ""}`)
}

print(accepted)
let job = accepted
for (const event of commits) {
  job = Result.getOrThrow(applyCommit(job, [event]))
  print(job)
}

// An event without an edge is refused: a delivery that has ended cannot begin another attempt.
const refused = applyCommit(job, [onDelivery(sending)])
if (Result.isFailure(refused)) console.log(`refused: ${refused.failure._tag}`)
