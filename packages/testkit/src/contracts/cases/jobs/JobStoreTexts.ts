/**
 * Contract cases for `JobStore` about large and private content: whole transcripts and their parts,
 * peaks, kept webhook bodies, and erased text.
 */
import type { Job } from "@verbatim/core/job"
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import {
  type Peaks,
  type Piece,
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
  findJob,
  insertJob,
  instant,
  jobId,
  largeTranscript,
  later,
  leaseToken,
  longText,
  makeFullJob,
  makePendingJob,
  onRetention,
  pieceRecognised,
  receiverAccepted,
  startJob,
  transcribeJob,
  transcript,
  transcriptOf,
  transcriptProduced,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

const { delivery } = makeFullJob(1)
const expired = { events: [onRetention("TranscriptExpired", later(9))], at: later(9) }

/** Changes a transcript's segments despite their read-only type. */
const spoil = ({ segments }: Transcript): void => {
  for (const segment of segments) Object.assign(segment, { text: "spoilt" })
}

/**
 * Far more parts than any transcript in these cases has, so that reading ends even if the store
 * never reports the end.
 */
const partsMax = 1_000

/** Reads all parts of a job's transcript, or fewer parts if the job is deleted during the read. */
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

/** Commits a transcript; fails unless it is read back unchanged, as a whole and in parts. */
const keepsWhole = Effect.fnUntraced(function* (given: Transcript) {
  const store = yield* JobStore
  yield* transcribeJob(1, { transcript: given })
  const whole = Option.getOrNull(yield* store.transcript(jobId(1)))
  // The values are compared as strings because a failed comparison would otherwise print megabytes.
  const text = JSON.stringify(given)
  yield* Expect.holds("it is unchanged", JSON.stringify(whole) === text)
  const parts = yield* partsOf(1)
  const [first] = parts.map(({ next: _, ...part }) => part)
  const joined = { ...first, segments: parts.flatMap(({ segments }) => segments) }
  yield* Expect.holds("its parts are the same", JSON.stringify(joined) === text)
  return parts
})

/** Cases about transcripts. */
export const transcripts: Cases<Ports> = workspaceCases(JobStore, {
  *"returns copies of transcripts, and stores copies of transcripts"(store) {
    const given = structuredClone(transcript)
    yield* transcribeJob(1, { transcript: given })
    const read = store.transcript(jobId(1))
    spoil(given)
    Option.map(yield* read, spoil)
    yield* read.pipe(Expect.gives("it is still unchanged", Option.some(transcript)))
  },
  *"keeps a transcript of 20 MB"() {
    yield* keepsWhole(largeTranscript(20_000_000))
  },
  *"returns one part of a short transcript, and no part of a missing transcript"() {
    const silence = { durationMillis: 0, language: "en", segments: [] }
    yield* transcribeJob(1)
    yield* transcribeJob(2, { transcript: silence })
    const parts = yield* Effect.forEach([1, 2, 3], partsOf)
    const next = Option.none()
    yield* Expect.that("one, one and none", parts).is([
      [{ ...transcript, next }],
      [{ ...silence, next }],
      []
    ])
  },
  *"returns a long transcript in short parts"() {
    const parts = yield* keepsWhole(largeTranscript(2_000_000))
    for (const { segments } of parts) {
      const { length } = [...JSON.stringify(segments.slice(0, -1))]
      yield* Expect.holds("no part is longer than it may be", length <= partLengthMax)
    }
    const isFull = parts.slice(0, -1).every(({ segments }) => segments.length > 0)
    yield* Expect.holds("only the last one may be without segments", isFull)
  },
  *"returns segments of any length unchanged when it splits a transcript into parts"() {
    const marks = ["}]}", '"', "\\", '\\"]}', '"segments":[', "🎙🎙", "\u2028"]
    const texts = [...awkwardTexts, ...marks, longText(1_000_000), ...marks, longText(200_000)]
    const spoken = transcriptOf([...texts, ...awkwardTexts])
    const words = [{ startMillis: 1, endMillis: 2, text: '},{"startMillis":' }]
    const details = { hasSpaceBefore: false, words }
    const segments = spoken.segments.map((each) => ({ ...each, ...details }))
    yield* keepsWhole({ ...spoken, segments })
  },
  *"stops returning parts of a transcript when the transcript is deleted during the read"(store) {
    yield* transcribeJob(1, { transcript: largeTranscript(1_000_000) })
    const first = yield* store.transcriptPart(jobId(1), Option.none())
    yield* store.remove(workspaceId(1), jobId(1))
    const next = store.transcriptPart(jobId(1), first)
    yield* next.pipe(Expect.gives("there is none", Option.none()))
  }
})

const peaks: Peaks = { sampleCount: 40, interval: 16, values: [-128, 127, -1, 0, 0, 0] }

/** Cases about peaks. */
export const peakCases: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps the peaks of short and long transcripts"(store) {
    const job = yield* transcribeJob(1, { overrides: { delivery }, peaks })
    yield* transcribeJob(2, { transcript: largeTranscript(200_000), peaks })
    yield* transcribeJob(3)
    yield* commitJob(job, { events: [deliveryStarted(5)] })
    const found = yield* Effect.forEach([1, 2, 3, 4], (number) => store.peaks(jobId(number)))
    yield* Expect.that("each has its own", found.map(Option.getOrNull)).is([
      peaks,
      peaks,
      null,
      null
    ])
  },
  *"deletes peaks when their transcript or job is deleted"(store) {
    yield* transcribeJob(1, { peaks })
    const job = yield* transcribeJob(2, { peaks })
    yield* store.remove(workspaceId(1), jobId(1))
    yield* commitJob(job, { ...expired, forgotten: { history: [] } })
    const found = yield* Effect.forEach([1, 2], (number) => store.peaks(jobId(number)))
    yield* Expect.that("they are gone", found.map(Option.getOrNull)).is([null, null])
  }
})

const piece = (index: number, digest: string, text = digest): Piece => ({
  index,
  startMillis: index * 1_000,
  endMillis: (index + 1) * 1_000,
  digest,
  result: {
    language: "en",
    segments: [{ startMillis: 0, endMillis: 900, text, words: [] }]
  }
})

/** Commits a recognised piece of a running job. */
const recognise = (job: Job, recognised: Piece) =>
  commitJob(job, { events: [pieceRecognised(recognised.index)], piece: recognised })

/** Cases about recognised pieces. */
export const pieceCases: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps pieces in order, and replaces a piece by a later one with the same index"(store) {
    const job = yield* startJob(1)
    const second = yield* recognise(job, piece(1, "b", awkwardTexts.join("")))
    const both = yield* recognise(second, piece(0, "a"))
    const pieces = store.pieces(jobId(1))
    const [a, b] = [piece(0, "a"), piece(1, "b", awkwardTexts.join(""))]
    yield* pieces.pipe(Expect.gives("both are there", [a, b]))
    yield* recognise(both, piece(1, "c"))
    yield* pieces.pipe(Expect.gives("the second one is replaced", [a, piece(1, "c")]))
    yield* store
      .pieces(jobId(1), { from: 1, to: 2 })
      .pipe(Expect.gives("a range contains only its pieces", [piece(1, "c")]))
    yield* store.pieces(jobId(2)).pipe(Expect.gives("another job has none", []))
  },
  *"finds a piece by its digest only in its own workspace"(store) {
    yield* recognise(yield* startJob(1), piece(0, "a"))
    const find = (number: number, digest: string) => store.findPiece(workspaceId(number), digest)
    yield* find(1, "a").pipe(Expect.gives("it is found", Option.some(piece(0, "a"))))
    yield* find(1, "b").pipe(Expect.gives("an unknown digest is not found", Option.none()))
    yield* find(2, "a").pipe(Expect.gives("not in another workspace", Option.none()))
  },
  *"stores no piece of a refused commit"(store) {
    const job = yield* startJob(1)
    const change = { events: [pieceRecognised(0)], piece: piece(0, "a") }
    yield* Expect.refuses(store.commit(commitOf({ ...job, revision: 9 }, change)), "Superseded")
    const token = leaseToken(1)
    yield* Expect.refuses(store.commit(commitOf(job, { ...change, token })), "Superseded")
    yield* store.pieces(jobId(1)).pipe(Expect.gives("there is none", []))
  },
  *"deletes the pieces of a job when the job is deleted or its text is erased"(store) {
    yield* recognise(yield* startJob(1), piece(0, "a"))
    yield* store.remove(workspaceId(1), jobId(1))
    const running = yield* recognise(yield* startJob(2), piece(0, "a"))
    const job = yield* commitJob(running, { events: [transcriptProduced()], transcript })
    const find = store.findPiece(workspaceId(1), "a")
    yield* find.pipe(Expect.gives("the other job's piece is there", Option.some(piece(0, "a"))))
    yield* commitJob(job, { ...expired, forgotten: { history: [] } })
    yield* find.pipe(Expect.gives("it is gone", Option.none()))
    yield* store.pieces(jobId(2)).pipe(Expect.gives("its job has none", []))
  }
})

const keptBody = (body: string, delivery = 1) => ({
  deliveryId: deliveryId(delivery),
  contentType: "text/plain; charset=utf-8",
  body
})

const keep = (body: string, delivery = 1) => ({
  _tag: "Keep" as const,
  body: keptBody(body, delivery)
})

/**
 * Longer than one piece, and with a character of two UTF-16 units at every position where a store
 * can cut.
 */
const long = '🎙️é\u2028"'.repeat(400_000)

const webhook = makePendingJob(1, { kind: "Deliver", dueAt: instant })

/** Cases about kept webhook bodies, and about erased text. */
export const bodies: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps a webhook's body until the body is erased"(store) {
    const body = store.keptBody(jobId(1))
    const job = yield* insertJob(webhook)
    yield* body.pipe(Expect.gives("there is none at first", Option.none()))
    const begun = yield* commitJob(job, { events: [deliveryStarted(1)], body: keep("one") })
    yield* body.pipe(Expect.gives("it is unchanged", Option.some(keptBody("one"))))
    const waiting = yield* commitJob(begun, { events: [attemptPostponed()], body: keep(long, 2) })
    yield* body.pipe(Expect.gives("a later one replaces it", Option.some(keptBody(long, 2))))
    const resumed = yield* commitJob(waiting, { events: [deliveryStarted(1)] })
    yield* body.pipe(
      Expect.gives("a commit can leave it unchanged", Option.some(keptBody(long, 2)))
    )
    yield* commitJob(resumed, { events: [receiverAccepted()], body: { _tag: "Forget" } })
    yield* body.pipe(Expect.gives("it is gone", Option.none()))
    const other = yield* insertJob(makePendingJob(2, { kind: "Deliver", dueAt: instant }))
    yield* commitJob(other, { events: [deliveryStarted(1)], body: keep("two") })
    yield* store.remove(workspaceId(1), jobId(2))
    yield* store
      .keptBody(jobId(2))
      .pipe(Expect.gives("the body of a deleted job is gone", Option.none()))
  },
  *"erases only a job's text, including the copies of the text in the job's history"(store) {
    const [job] = yield* Effect.forEach([1, 2], (number) =>
      transcribeJob(number, { body: keep(`text of ${number}`, number) })
    )
    if (job === undefined) return
    const before = yield* store.history(jobId(1))
    const left = [attemptStarted(later(3))]
    const forgotten = { history: [{ revision: 2, events: left }] }
    const stale = { ...commitOf(job, expired), next: { ...job, revision: 9 }, forgotten }
    yield* Expect.refuses(store.commit(stale), "Superseded")
    yield* store.history(jobId(1)).pipe(Expect.gives("a refused commit erases nothing", before))
    const next = yield* commitJob(job, { ...expired, forgotten })
    yield* findJob(jobId(1)).pipe(Expect.gives("the job shows it", Option.some(next)))
    const history = [
      ...before.map((entry) => (entry.revision === 2 ? { ...entry, events: left } : entry)),
      { revision: next.revision, ...expired, token: Option.none() }
    ]
    yield* store.history(jobId(1)).pipe(Expect.gives("its history has other events", history))
    const hasText = (number: number) =>
      Effect.map(
        Effect.all([
          store.transcript(jobId(number)),
          store.transcriptPart(jobId(number), Option.none()),
          store.keptBody(jobId(number))
        ]),
        (found) => found.map((each) => Option.isSome<unknown>(each))
      )
    yield* hasText(1).pipe(Expect.gives("transcript and body are gone", [false, false, false]))
    yield* hasText(2).pipe(Expect.gives("another job keeps them", [true, true, true]))
  }
})
