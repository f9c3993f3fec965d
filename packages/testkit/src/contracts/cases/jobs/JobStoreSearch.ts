/** Contract cases for `JobStore` about searches for words of transcripts. */
import type { JobQuery } from "@verbatim/core/job"
import {
  JobStore,
  type RetentionStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { findMoments, queryWords, toSearchText } from "@verbatim/core/rendering"
import type { Transcript } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import {
  awkwardTexts,
  commitJob,
  commitOf,
  insertJob,
  jobId,
  largeTranscript,
  later,
  makeUploadJob,
  onRetention,
  startJob,
  transcribeJob,
  transcriptOf,
  transcriptProduced,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | RetentionStore | WorkQueue | WorkspaceStore

/** Searches a workspace, and returns the numbers of the found jobs in the order of the list. */
export const search = (query: string, wanted: Partial<JobQuery> = {}) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.map(
      store.list({
        workspaceId: workspaceId(1),
        status: Option.none(),
        after: Option.none(),
        limit: 100,
        words: queryWords(query),
        ...wanted
      }),
      (jobs) => jobs.map(({ id }) => Number.parseInt(id.slice(-4), 16))
    )
  )

const spoken = [
  "Herr Håkansson kommt aus der Straße. ZOË fragt: naïve?",
  "東京都は日本の首都です。スカイツリー",
  "สวัสดีครับ ยินดีที่ได้รู้จัก",
  "한국어 텍스트, don't 3.14 and e-mail@example.com",
  "हिन्दी में Ελληνικά и русский شكرًا שלום",
  "plain words spoken twice: words",
  ...awkwardTexts
]

/** Transcribes a job for each text. */
const transcribeAll = (texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text, index) =>
    transcribeJob(index + 1, { transcript: transcriptOf([text]) })
  )

/** Returns the numbers of the texts that have all words, the last one first. */
const expected = (transcripts: ReadonlyArray<Transcript>, query: string): Array<number> =>
  transcripts
    .flatMap((transcript, index) => {
      const words = new Set(toSearchText(transcript).words.split(" "))
      return queryWords(query).every((word) => words.has(word)) ? [index + 1] : []
    })
    .toReversed()

/** Cases about searches. */
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
  *"finds exactly the transcripts that have all words of a query"(store) {
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
        .pipe(Expect.gives("its passages", findMoments(passages, query)))
    }
  },
  *"combines a search with other filters, page by page"(store) {
    const texts = ["red one", "blue", "red two", "red three", "red four"]
    yield* transcribeAll(texts)
    yield* transcribeJob(6, {
      transcript: transcriptOf(["red"]),
      overrides: { workspaceId: workspaceId(2) }
    })
    yield* search("red").pipe(Expect.gives("newest first, in one workspace", [5, 4, 3, 1]))
    const other = search("red", { workspaceId: workspaceId(2) })
    yield* other.pipe(Expect.gives("the other workspace's own", [6]))
    yield* search("red", { limit: 2 }).pipe(Expect.gives("the first page", [5, 4]))
    const after = Option.some(jobId(4))
    yield* search("red", { after }).pipe(Expect.gives("the rest", [3, 1]))
    const completed = { status: Option.some("COMPLETED" as const) }
    yield* search("red", completed).pipe(Expect.gives("the completed ones", [5, 4, 3, 1]))
    const failed = { status: Option.some("FAILED" as const) }
    yield* search("red", failed).pipe(Expect.gives("none has failed", []))
    yield* search("red", { callbackId: "none" }).pipe(Expect.gives("none has this id", []))
    yield* store.remove(workspaceId(1), jobId(4))
    yield* search("red").pipe(Expect.gives("without the deleted one", [5, 3, 1]))
  },
  *"finds a transcript from its commit until its text is deleted"(store) {
    const running = yield* startJob(1)
    const produced = { events: [transcriptProduced()], transcript: transcriptOf(["hello"]) }
    const { next, ...stale } = commitOf(running, produced)
    yield* Expect.refuses(store.commit({ ...stale, next: { ...next, revision: 9 } }), "Superseded")
    yield* search("hello").pipe(Expect.gives("not by a refused commit", []))
    const done = yield* commitJob(running, produced)
    yield* search("hello").pipe(Expect.gives("found after its commit", [1]))
    const expires = { events: [onRetention("TranscriptExpired", later(9))], at: later(9) }
    yield* commitJob(done, { ...expires, forgotten: { history: [] } })
    yield* search("hello").pipe(Expect.gives("not after its retention", []))
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
      Expect.gives("its time", [7_000_000])
    )
  }
})
