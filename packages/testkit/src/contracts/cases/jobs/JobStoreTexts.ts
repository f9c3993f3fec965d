/**
 * Contract cases for `JobStore` about large and private content: transcripts and their parts,
 * peaks, webhook bodies, erased text, and searches in transcripts.
 */
import type { Job, JobQuery } from "@verbatim/core/job"
import {
  JobStore,
  type RetentionStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { findMoments, queryWords, toSearchText } from "@verbatim/core/rendering"
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
  type Change,
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
  makePendingJob,
  makeUploadJob,
  onRetention,
  pieceRecognised,
  readWholeJob,
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

type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

const { delivery } = makeFullJob(1)
const expired = { events: [onRetention("TranscriptExpired", later(9))], at: later(9) }

/** Changes a transcript's segments in place, although their type is read-only. */
const spoil = ({ segments }: Transcript): void => {
  for (const segment of segments) Object.assign(segment, { text: "spoilt" })
}

/**
 * Maximum number of parts to read from a store that never reports the end. No transcript in these
 * cases has nearly as many.
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

/**
 * Commits a transcript, and fails unless the store returns the same one, as a whole and in parts.
 */
const keepsWhole = Effect.fnUntraced(function* (given: Transcript) {
  const store = yield* JobStore
  yield* transcribeJob(1, { transcript: given })
  const whole = Option.getOrNull(yield* store.transcript(jobId(1)))
  // A failed comparison of the values themselves would print megabytes.
  const text = JSON.stringify(given)
  yield* Expect.holds("the transcript is unchanged", JSON.stringify(whole) === text)
  const parts = yield* partsOf(1)
  const [first] = parts.map(({ next: _, ...part }) => part)
  const joined = { ...first, segments: parts.flatMap(({ segments }) => segments) }
  yield* Expect.holds("the joined parts equal the transcript", JSON.stringify(joined) === text)
  return parts
})

export const transcripts: Cases<Ports> = workspaceCases(JobStore, {
  *"returns copies of transcripts, and stores copies of transcripts"(store) {
    const given = structuredClone(transcript)
    yield* transcribeJob(1, { transcript: given })
    const read = store.transcript(jobId(1))
    spoil(given)
    Option.map(yield* read, spoil)
    yield* read.pipe(Expect.gives("the transcript is still unchanged", Option.some(transcript)))
  },
  *"keeps a transcript when later commits contain no transcript"(store) {
    const running = yield* startJob(1, { delivery })
    const done = yield* commitJob(running, { events: [transcriptProduced()], transcript })
    yield* commitJob(done, { events: [deliveryStarted(5)] })
    const read = store.transcript(jobId(1))
    yield* read.pipe(Expect.gives("the transcript is unchanged", Option.some(transcript)))
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
  *"returns segments of any length unchanged from a transcript that is split into parts"() {
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

export const peakCases: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps the peaks of short and long transcripts"(store) {
    const job = yield* transcribeJob(1, { overrides: { delivery }, peaks })
    yield* transcribeJob(2, { transcript: largeTranscript(200_000), peaks })
    yield* transcribeJob(3)
    yield* commitJob(job, { events: [deliveryStarted(5)] })
    const found = yield* Effect.forEach([1, 2, 3, 4], (number) => store.peaks(jobId(number)))
    yield* Expect.that("each job has its own peaks", found.map(Option.getOrNull)).is([
      peaks,
      peaks,
      null,
      null
    ])
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
  },
  ...(index === 0 && { cut: { digest: "the whole audio", ranges: [{ from: 0, to: 16_000 }] } })
})

/** Commits a recognised piece of a running job. */
const recognise = (job: Job, recognised: Piece) =>
  commitJob(job, { events: [pieceRecognised(recognised.index)], piece: recognised })

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
    yield* store.pieces(jobId(2)).pipe(Expect.gives("another job has no pieces", []))
  },
  *"finds a piece by its digest only in its own workspace"(store) {
    yield* recognise(yield* startJob(1), piece(0, "a"))
    const find = (number: number, digest: string) => store.findPiece(workspaceId(number), digest)
    yield* find(1, "a").pipe(Expect.gives("the piece is found", Option.some(piece(0, "a"))))
    yield* find(1, "b").pipe(Expect.gives("an unknown digest is not found", Option.none()))
    yield* find(2, "a").pipe(
      Expect.gives("the piece is not found in another workspace", Option.none())
    )
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

/** Everything that a commit can write. */
export const everything: Change = {
  events: [transcriptProduced()],
  transcript,
  peaks,
  piece: piece(0, "a"),
  body: keep("text"),
  chargeMillis: 61_234
}

/** The content that remains after a job's text was erased. */
export const noText = {
  transcript: Option.none(),
  peaks: Option.none(),
  pieces: [],
  body: Option.none()
}

/**
 * Text that is longer than a chunk. Wherever a store cuts it, there is a character of two UTF-16
 * units.
 */
const long = '🎙️é\u2028"'.repeat(400_000)

const webhook = makePendingJob(1, { kind: "Deliver", dueAt: instant })

export const bodies: Cases<Ports> = workspaceCases(JobStore, {
  *"keeps a webhook's body until the body is erased"(store) {
    const body = store.keptBody(jobId(1))
    const job = yield* insertJob(webhook)
    yield* body.pipe(Expect.gives("there is none at first", Option.none()))
    const begun = yield* commitJob(job, { events: [deliveryStarted(1)], body: keep("one") })
    yield* body.pipe(Expect.gives("the body is unchanged", Option.some(keptBody("one"))))
    const waiting = yield* commitJob(begun, { events: [attemptPostponed()], body: keep(long, 2) })
    yield* body.pipe(Expect.gives("a later one replaces it", Option.some(keptBody(long, 2))))
    const resumed = yield* commitJob(waiting, { events: [deliveryStarted(1)] })
    yield* body.pipe(
      Expect.gives("a commit can leave it unchanged", Option.some(keptBody(long, 2)))
    )
    yield* commitJob(resumed, { events: [receiverAccepted()], body: { _tag: "Forget" } })
    yield* body.pipe(Expect.gives("the body is erased", Option.none()))
  },
  *"erases only a job's text, including the copies of the text in the job's history"(store) {
    const [job] = yield* Effect.forEach([1, 2], (number) =>
      transcribeJob(number, { ...everything, piece: piece(0, `of ${number}`) })
    )
    if (job === undefined) return
    const [before, other] = [yield* readWholeJob(jobId(1)), yield* readWholeJob(jobId(2))]
    const left = [attemptStarted(later(3))]
    const forgotten = { history: [{ revision: 2, events: left }] }
    const stale = { ...commitOf(job, expired), next: { ...job, revision: 9 }, forgotten }
    yield* Expect.refuses(store.commit(stale), "Superseded")
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("a refused commit erases nothing", before))
    const next = yield* commitJob(job, { ...expired, forgotten })
    const history = [
      ...before.history.map((entry) => (entry.revision === 2 ? { ...entry, events: left } : entry)),
      { revision: next.revision, ...expired, token: Option.none() }
    ]
    const erased = { ...before, ...noText, job: Option.some(next), history }
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("the text is gone, and nothing else", erased))
    const part = store.transcriptPart(jobId(1), Option.none())
    yield* part.pipe(Expect.gives("there is no part", Option.none()))
    const reused = store.findPiece(workspaceId(1), "of 1")
    yield* reused.pipe(Expect.gives("no piece can be reused", Option.none()))
    yield* readWholeJob(jobId(2)).pipe(Expect.gives("another job keeps its text", other))
  }
})

/** Lists jobs, by default of the first workspace, and returns their numbers in this order. */
export const listNumbers = (wanted: Partial<JobQuery> = {}) =>
  JobStore.use((store) => {
    const own = { workspaceId: workspaceId(1), status: Option.none(), after: Option.none() }
    return Effect.map(store.list({ ...own, limit: 100, ...wanted }), (jobs) =>
      jobs.map(({ id }) => Number.parseInt(id.slice(-4), 16))
    )
  })

/** Returns the numbers of the jobs with transcripts that contain all words of the query. */
export const search = (query: string) => listNumbers({ words: queryWords(query) })

const spoken = [
  "Herr Håkansson kommt aus der Straße. ZOË fragt: naïve?",
  "東京都は日本の首都です。スカイツリー",
  "สวัสดีครับ ยินดีที่ได้รู้จัก",
  "한국어 텍스트, don't 3.14 and e-mail@example.com",
  "हिन्दी में Ελληνικά и русский شكرًا שלום",
  "plain words spoken twice: words",
  ...awkwardTexts
]

const transcribeAll = (texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text, index) =>
    transcribeJob(index + 1, { transcript: transcriptOf([text]) })
  )

/** Returns the numbers of the texts that contain all words, in descending order. */
const expected = (transcripts: ReadonlyArray<Transcript>, query: string): Array<number> =>
  transcripts
    .flatMap((transcript, index) => {
      const words = new Set(toSearchText(transcript).words.split(" "))
      return queryWords(query).every((word) => words.has(word)) ? [index + 1] : []
    })
    .toReversed()

export const searches: Cases<Ports> = workspaceCases(JobStore, {
  *"finds transcripts by their words, regardless of case and accents, in any language"() {
    yield* transcribeAll(spoken)
    const found: Readonly<Record<string, Array<number>>> = {
      "hakansson strasse": [1],
      "zoe NAIVE": [1],
      東京: [2],
      "首都 スカイ": [2],
      京: [2],
      ยินดี: [3],
      텍스트: [4],
      "example e-mail": [4],
      "ελληνικα شكرا": [5],
      "WORDS twice": [6],
      "hakansson 東京": [],
      word: [],
      都東: []
    }
    for (const [query, numbers] of Object.entries(found)) {
      yield* search(query).pipe(Expect.gives(query, numbers))
    }
  },
  *"finds exactly the transcripts that contain all words in a query"(store) {
    yield* transcribeAll(spoken)
    const transcripts = spoken.map((text) => transcriptOf([text]))
    const words = [...new Set(spoken.flatMap(queryWords))]
    const queries = [...words, ...spoken, ...words.map((word, at) => `${word} ${words[at * 7]}`)]
    for (const query of queries.filter((text) => queryWords(text).length > 0)) {
      yield* search(query).pipe(Expect.gives(query, expected(transcripts, query)))
    }
    for (const [index, transcript] of transcripts.entries()) {
      const query = words.slice(index * 3, index * 3 + 40)
      const { passages } = toSearchText(transcript)
      yield* store
        .moments(jobId(index + 1), query)
        .pipe(Expect.gives("the passages of the match", findMoments(passages, query)))
    }
  },
  *"finds a transcript from its commit until its text is deleted"(store) {
    const running = yield* startJob(1)
    const produced = { events: [transcriptProduced()], transcript: transcriptOf(["hello"]) }
    const { next, ...stale } = commitOf(running, produced)
    yield* Expect.refuses(store.commit({ ...stale, next: { ...next, revision: 9 } }), "Superseded")
    yield* search("hello").pipe(Expect.gives("a refused commit makes nothing findable", []))
    const done = yield* commitJob(running, produced)
    yield* search("hello").pipe(Expect.gives("found after its commit", [1]))
    const expires = { events: [onRetention("TranscriptExpired", later(9))], at: later(9) }
    yield* commitJob(done, { ...expires, forgotten: { history: [] } })
    yield* search("hello").pipe(Expect.gives("an expired transcript is not found", []))
    yield* store.moments(jobId(1), ["hello"]).pipe(Expect.gives("no passage is left", []))
  },
  *"finds no job without a transcript"() {
    yield* insertJob(makeUploadJob(1))
    yield* search("hello").pipe(Expect.gives("nothing", []))
  },
  *"finds words at the beginning and in the middle of a long transcript"(store) {
    const { segments, ...head } = largeTranscript(2_000_000)
    yield* transcribeJob(1, { transcript: { ...head, segments } })
    yield* search("segment 3 spoken").pipe(Expect.gives("an early word", [1]))
    yield* search("7000").pipe(Expect.gives("a late word", [1]))
    const moments = store.moments(jobId(1), ["7000"])
    yield* Effect.map(moments, (found) => found.map(({ startMillis }) => startMillis)).pipe(
      Expect.gives("the time of the passage", [7_000_000])
    )
  }
})
