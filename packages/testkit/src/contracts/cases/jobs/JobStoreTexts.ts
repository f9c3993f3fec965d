/**
 * The promises of a `JobStore` about transcripts: whole or not there.
 */
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import {
  type Peaks,
  partLengthMax,
  type Transcript,
  type TranscriptPart
} from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import {
  attemptPostponed,
  attemptStarted,
  awkwardTexts,
  commitJob,
  commitOf,
  deliveryId,
  deliveryStarted,
  insertJob,
  instant,
  jobId,
  largeTranscript,
  later,
  longText,
  makeFullJob,
  makeOwingJob,
  makeUploadJob,
  onKeeping,
  receiverAccepted,
  storedJob,
  transcript,
  transcriptOf,
  transcriptProduced,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Commits a transcript to a new job and reads it back. */
const readBack = Effect.fnUntraced(function* (number: number, given: Transcript) {
  const store = yield* JobStore
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  yield* commitJob(running, { events: [transcriptProduced()], transcript: given })
  return yield* store.transcript(jobId(number))
})

/** Changes a value of somebody who keeps to no types. */
const spoil = ({ segments }: Transcript): void => {
  for (const segment of segments) Object.assign(segment, { text: "spoilt" })
}

/** What comes back of a transcript. */
export const transcripts: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"has no transcript before it was committed, and keeps it afterwards"(store) {
    const { delivery } = makeFullJob(1)
    const running = yield* commitJob(yield* insertJob(makeUploadJob(1, { delivery })), {
      events: [attemptStarted()]
    })
    const read = Effect.forEach([1, 2], (number) => store.transcript(jobId(number)))
    yield* read.pipe(Expect.gives("there is none", [Option.none(), Option.none()]))
    const produces = { events: [transcriptProduced()], transcript }
    const transcribed = yield* commitJob(running, produces)
    const expected = [Option.some(transcript), Option.none()]
    yield* Expect.that("there is one", yield* read).is(expected)
    const attempt = yield* commitJob(transcribed, { events: [deliveryStarted(5)] })
    yield* commitJob(attempt, { events: [receiverAccepted()] })
    yield* Expect.that("later commits leave it there", yield* read).is(expected)
  },
  *"shares no transcript with those who give and read it"(store) {
    const given = structuredClone(transcript)
    const read = yield* readBack(1, given)
    spoil(given)
    Option.map(read, spoil)
    yield* store
      .transcript(jobId(1))
      .pipe(Expect.gives("it is still the one given", Option.some(transcript)))
  },
  *"keeps a transcript of 20 MB"() {
    const given = largeTranscript(20_000_000)
    const kept = yield* readBack(1, given)
    // As texts: a failure would otherwise show 20 MB.
    yield* Expect.holds(
      "it is the one given",
      JSON.stringify(Option.getOrNull(kept)) === JSON.stringify(given)
    )
  }
})

/** Many more than any transcript here has: this tells a store that never ends from a slow one. */
const partsMax = 1_000

/** All parts of the transcript of a job; fewer when it disappears. */
const partsOf = Effect.fnUntraced(function* (number: number) {
  const store = yield* JobStore
  const parts: Array<TranscriptPart> = []
  let before: Option.Option<TranscriptPart> = Option.none()
  while (parts.length < partsMax) {
    before = yield* store.transcriptPart(jobId(number), before)
    if (Option.isNone(before)) return parts
    parts.push(before.value)
    if (Option.isNone(before.value.next)) return parts
  }
  return parts
})

/** Commits a transcript to a new job. */
const keepTranscript = Effect.fnUntraced(function* (number: number, given: Transcript) {
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  yield* commitJob(running, { events: [transcriptProduced()], transcript: given })
})

const joinParts = (parts: ReadonlyArray<TranscriptPart>) => ({
  durationMillis: parts.map(({ durationMillis }) => durationMillis),
  language: parts.map(({ language }) => language),
  segments: parts.flatMap(({ segments }) => segments)
})

const expectWhole = (parts: ReadonlyArray<TranscriptPart>, given: Transcript) =>
  // As texts: a failure would otherwise show megabytes.
  Expect.holds(
    "together they are the transcript",
    JSON.stringify(joinParts(parts)) ===
      JSON.stringify({
        durationMillis: parts.map(() => given.durationMillis),
        language: parts.map(() => given.language),
        segments: given.segments
      })
  )

const lengthOf = (segments: Transcript["segments"]): number => [...JSON.stringify(segments)].length

/** What comes back of a transcript part by part. */
export const parts: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"answers a short transcript in one part, and none where there is no transcript"() {
    const silence = { durationMillis: 0, language: "en", segments: [] }
    yield* keepTranscript(1, transcript)
    yield* keepTranscript(2, silence)
    yield* Expect.that("each is one part", [
      yield* partsOf(1),
      yield* partsOf(2),
      yield* partsOf(3)
    ]).is([[{ ...transcript, next: Option.none() }], [{ ...silence, next: Option.none() }], []])
  },
  *"answers a long transcript in parts, each of them short"() {
    const given = largeTranscript(2_000_000)
    yield* keepTranscript(1, given)
    const found = yield* partsOf(1)
    yield* expectWhole(found, given)
    for (const { segments } of found) {
      yield* Expect.holds(
        "no part is longer than it may be",
        lengthOf(segments.slice(0, -1)) <= partLengthMax
      )
    }
    yield* Expect.holds(
      "only the last one may be without segments",
      found.slice(0, -1).every(({ segments }) => segments.length > 0)
    )
  },
  *"answers every text in parts as it is, however long one is"() {
    const marks = ["}]}", '"', "\\", '\\"]}', '"segments":[', "🎙🎙", "\u2028"]
    const texts = [...awkwardTexts, ...marks, longText(1_000_000), ...marks, longText(200_000)]
    const spoken = transcriptOf([...texts, ...awkwardTexts])
    const words = [{ startMillis: 1, endMillis: 2, text: '},{"startMillis":' }]
    const details = { hasSpaceBefore: false, words }
    const segments = spoken.segments.map((each) => ({ ...each, ...details }))
    const given = { ...spoken, segments }
    yield* keepTranscript(1, given)
    yield* expectWhole(yield* partsOf(1), given)
  },
  *"has no further part of a transcript that was deleted meanwhile"(store) {
    yield* keepTranscript(1, largeTranscript(1_000_000))
    const first = yield* store.transcriptPart(jobId(1), Option.none())
    yield* store.remove(workspaceId(1), jobId(1))
    yield* Expect.that("there is none", yield* store.transcriptPart(jobId(1), first)).is(
      Option.none()
    )
  }
})

const peaks: Peaks = { sampleCount: 40, interval: 16, values: [-128, 127, -1, 0, 0, 0] }

/** Commits a transcript to a new job. */
const keepPeaks = Effect.fnUntraced(function* (
  number: number,
  given: { readonly transcript: Transcript; readonly peaks?: Peaks }
) {
  const { delivery } = makeFullJob(number)
  const running = yield* commitJob(yield* insertJob(makeUploadJob(number, { delivery })), {
    events: [attemptStarted()]
  })
  return yield* commitJob(running, { events: [transcriptProduced()], ...given })
})

const read = (numbers: ReadonlyArray<number>) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.forEach(numbers, (number) => store.peaks(jobId(number)))
  )

/** What comes back of peaks. */
export const peakCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"keeps the peaks that come with a transcript, of one piece or many"(store) {
    const job = yield* keepPeaks(1, { transcript, peaks })
    yield* keepPeaks(2, { transcript: largeTranscript(200_000), peaks })
    yield* keepPeaks(3, { transcript })
    yield* commitJob(job, { events: [deliveryStarted(5)] })
    yield* read([1, 2, 3, 4]).pipe(
      Expect.gives("each has its own", [
        Option.some(peaks),
        Option.some(peaks),
        Option.none(),
        Option.none()
      ])
    )
    yield* store
      .transcript(jobId(1))
      .pipe(Expect.gives("the transcript is as it was", Option.some(transcript)))
  },
  *"has no peaks once their transcript is forgotten or their job deleted"(store) {
    yield* keepPeaks(1, { transcript, peaks })
    const running = yield* commitJob(yield* insertJob(makeUploadJob(2)), {
      events: [attemptStarted()]
    })
    const job = yield* commitJob(running, {
      events: [transcriptProduced()],
      transcript,
      peaks
    })
    yield* store.remove(workspaceId(1), jobId(1))
    yield* commitJob(job, {
      events: [onKeeping("TranscriptExpired", later(9))],
      forgotten: { history: [] }
    })
    yield* read([1, 2]).pipe(Expect.gives("they are gone", [Option.none(), Option.none()]))
  }
})

type Ports = JobStore | WorkspaceStore

const keptBody = (body: string, delivery = 1) => ({
  deliveryId: deliveryId(delivery),
  contentType: "text/plain; charset=utf-8",
  body
})

const keep = (body: string, delivery = 1) => ({
  _tag: "Keep" as const,
  body: keptBody(body, delivery)
})

/** Longer than one piece, with characters of two units at every place where it may be cut. */
const long = '🎙️é\u2028"'.repeat(400_000)

const webhook = (number: number) => makeOwingJob(number, { kind: "Deliver", dueAt: instant })

/** A job with a transcript and a kept body. */
const transcribed = Effect.fnUntraced(function* (number: number) {
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, {
    events: [transcriptProduced()],
    transcript,
    body: keep(`text of ${number}`, number)
  })
})

/** The cases. */
export const bodies: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps the body that a webhook sent, until it is forgotten"(store) {
    const body = store.keptBody(jobId(1))
    const job = yield* insertJob(webhook(1))
    yield* body.pipe(Expect.gives("there is none at first", Option.none()))
    const begun = yield* commitJob(job, { events: [deliveryStarted(1)], body: keep("one") })
    yield* body.pipe(Expect.gives("it is as it was", Option.some(keptBody("one"))))
    const waiting = yield* commitJob(begun, { events: [attemptPostponed()], body: keep(long, 2) })
    yield* body.pipe(Expect.gives("another one takes its place", Option.some(keptBody(long, 2))))
    const resumed = yield* commitJob(waiting, { events: [deliveryStarted(1)] })
    yield* Expect.that("it stays where a commit says nothing", yield* body).is(
      Option.some(keptBody(long, 2))
    )
    yield* commitJob(resumed, { events: [receiverAccepted()], body: { _tag: "Forget" } })
    yield* body.pipe(Expect.gives("it is gone", Option.none()))
  },
  *"forgets the body with its job"(store) {
    yield* commitJob(yield* insertJob(webhook(1)), {
      events: [deliveryStarted(1)],
      body: keep("one")
    })
    yield* store.remove(workspaceId(1), jobId(1))
    yield* store.keptBody(jobId(1)).pipe(Expect.gives("nothing is kept", Option.none()))
  },
  *"takes away the text of a job, also where its history repeats it, and nothing else"(store) {
    const others = [yield* transcribed(2), yield* transcribed(3)]
    const job = yield* transcribed(1)
    const before = yield* store.history(jobId(1))
    const events = [onKeeping("TranscriptExpired", later(9))]
    const revision = 2
    const left = [attemptStarted(later(3))]
    const stale = { ...commitOf(job, { events }), next: { ...job, revision: 9 } }
    const forgotten = { history: [{ revision, events: left }] }
    yield* Effect.ignore(store.commit({ ...stale, forgotten }))
    yield* store.history(jobId(1)).pipe(Expect.gives("a refused commit takes nothing away", before))
    const next = yield* commitJob(job, { events, at: later(9), forgotten })
    yield* storedJob(jobId(1)).pipe(Expect.gives("the job is told so", Option.some(next)))
    yield* Expect.that(
      "its history says something else in that place",
      yield* store.history(jobId(1))
    ).is([
      ...before.map((entry) => (entry.revision === revision ? { ...entry, events: left } : entry)),
      { revision: next.revision, at: later(9), events, token: Option.none() }
    ])
    const kept = Effect.all({
      transcript: store.transcript(jobId(1)),
      part: store.transcriptPart(jobId(1), Option.none()),
      body: store.keptBody(jobId(1))
    })
    const none = { transcript: Option.none(), part: Option.none(), body: Option.none() }
    yield* kept.pipe(Expect.gives("transcript and body are gone", none))
    for (const { id } of others) {
      yield* Expect.holds("others have theirs", Option.isSome(yield* store.transcript(id)))
      yield* Expect.holds("and their body", Option.isSome(yield* store.keptBody(id)))
    }
  }
})
