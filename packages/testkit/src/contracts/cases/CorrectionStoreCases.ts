/** Contract cases for `CorrectionStore`. */
import {
  type CorrectionDecision,
  noCorrections,
  type Overlay,
  type RequestedCorrection
} from "@verbatim/core/correction"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import {
  CorrectionStore,
  JobStore,
  RetentionStore,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import {
  awkwardTexts,
  commitJob,
  correct,
  correctInOrder,
  correctText,
  insertJob,
  jobId,
  makeUploadJob,
  nameSpeaker,
  onRetention,
  reading,
  recognised,
  restoreVersion,
  transcribeJob,
  upTo,
  workspaceId
} from "../../samples/index.ts"
import { atOnce, type Cases, type Contract, race, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import { search } from "./jobs/JobStoreTexts.ts"

type Ports = CorrectionStore | JobStore | RetentionStore | WorkspaceStore

/** Writes versions in order. */
const commitAll = Effect.fnUntraced(function* (decisions: ReadonlyArray<CorrectionDecision>) {
  const store = yield* CorrectionStore
  for (const decision of decisions) yield* store.commit(decision)
})

/** Reads everything stored about a job's corrections. */
const storedCorrections = Effect.fnUntraced(function* (number: number) {
  const store = yield* CorrectionStore
  const id = jobId(number)
  const versions = yield* store.versions(id, { before: Option.none(), limit: 100 })
  return {
    current: Option.getOrNull(yield* store.current(id)),
    numbers: versions.map(({ version }) => version),
    whole: yield* Effect.forEach(versions, ({ version }) =>
      Effect.map(store.version(id, version), Option.getOrNull)
    )
  }
})

/** Fails unless a job's stored corrections are those of the given decisions, in order. */
const expectStored = (promise: string, decisions: ReadonlyArray<CorrectionDecision>, number = 1) =>
  storedCorrections(number).pipe(
    Expect.gives(promise, {
      current: decisions.at(-1)?.next ?? null,
      numbers: decisions.map(({ version }) => version.version).toReversed(),
      whole: decisions.map(({ version }) => version).toReversed()
    })
  )

/** Changes to names, texts and the edges of segments. Some restore recognised values. */
const changes = [
  nameSpeaker("Ana"),
  correctText(1, "General remarks, and others."),
  reading([
    { index: 0, text: null, speaker: "Ben" },
    { index: 1, at: 8, text: "and more.", speaker: "Ben", edge: "split" },
    { index: 1, at: 12, text: null, speaker: null, edge: "split" },
    { index: 7, text: "", speaker: null, edge: "joined" }
  ]),
  nameSpeaker("Zoë", "speaker_1"),
  nameSpeaker(null),
  reading([
    { index: 1, text: null, speaker: null },
    { index: 1, at: 8, text: null, speaker: null }
  ])
]

const overlayAfter = (decisions: ReadonlyArray<CorrectionDecision>, version: number): Overlay =>
  decisions[version - 1]?.next.overlay ?? noCorrections

const versions: Cases<Ports> = workspaceCases(CorrectionStore, {
  *"returns no corrections if none were ever written"(store) {
    yield* transcribeJob(1)
    yield* expectStored("nothing is there", [])
    yield* store
      .overlayAt(jobId(1), 0)
      .pipe(Expect.gives("version 0 has no corrections", noCorrections))
    yield* store.current(jobId(2)).pipe(Expect.gives("an unknown job has none", Option.none()))
  },
  *"keeps every version, and returns the overlay of the latest version"() {
    yield* transcribeJob(1)
    const decisions = correctInOrder(recognised(1), changes)
    for (const [index, decision] of decisions.entries()) {
      yield* commitAll([decision])
      yield* expectStored("everything is stored", decisions.slice(0, index + 1))
    }
  },
  *"returns all corrections as of any version"(store) {
    yield* transcribeJob(1)
    const first = correctInOrder(recognised(1), changes)
    const last = first.at(-1)
    if (last === undefined) return
    const back = correct(last.next, restoreVersion(3, overlayAfter(first, 3)), { number: 99 })
    const decisions = [...first, back]
    yield* commitAll(decisions)
    for (const version of [0, ...upTo(decisions.length)]) {
      yield* store
        .overlayAt(jobId(1), version)
        .pipe(Expect.gives(`it is what version ${version} left`, overlayAfter(decisions, version)))
    }
    yield* Expect.that(
      "the last one equals the third",
      overlayAfter(decisions, decisions.length)
    ).is(overlayAfter(decisions, 3))
  },
  *"lists versions page by page, the latest first"(store) {
    yield* transcribeJob(1)
    yield* commitAll(correctInOrder(recognised(1), changes))
    const page = (before: Option.Option<number>) =>
      Effect.map(store.versions(jobId(1), { before, limit: 4 }), (found) =>
        found.map(({ version }) => version)
      )
    yield* page(Option.none()).pipe(Expect.gives("the latest", [6, 5, 4, 3]))
    yield* page(Option.some(3)).pipe(Expect.gives("the versions before the third", [2, 1]))
    yield* page(Option.some(1)).pipe(Expect.gives("no version before the first", []))
  },
  *"keeps the corrections to different transcripts separate"() {
    yield* transcribeJob(1)
    yield* transcribeJob(2)
    const one = correct(recognised(1), nameSpeaker("Ana"), { number: 1 })
    const other = correct(recognised(2), correctText(0, "Hi there."), { number: 2 })
    yield* commitAll([one, other])
    yield* expectStored("the first transcript has its own corrections", [one], 1)
    yield* expectStored("the second transcript has its own corrections", [other], 2)
  }
})

const fences: Cases<Ports> = workspaceCases(CorrectionStore, {
  *"refuses a version that is based on an outdated version, and writes nothing"(store) {
    yield* transcribeJob(1)
    const first = correct(recognised(1), nameSpeaker("Ana"), { number: 1 })
    const early = correct(first.next, correctText(0, "Too early."), { number: 2 })
    yield* Expect.refuses(store.commit(early), "Superseded")
    yield* store.commit(first)
    const rival = correct(recognised(1), correctText(0, "Too late."), { number: 3 })
    yield* Expect.refuses(store.commit(rival), "Superseded")
    const second = correct(first.next, nameSpeaker("Ben"), { number: 4 })
    yield* store.commit(second)
    yield* Expect.refuses(store.commit(early), "Superseded")
    yield* expectStored("the versions are those that were written", [first, second])
  },
  *"writes a version once when the same write is repeated"(store) {
    yield* transcribeJob(1)
    const first = correct(recognised(1), nameSpeaker("Ana"), { number: 1 })
    yield* store.commit(first)
    yield* store.commit(first)
    const second = correct(first.next, correctText(0, "Hi."), { number: 2 })
    yield* store.commit(second)
    yield* store.commit(second)
    // A retried write is accepted even after later writes.
    yield* store.commit(first)
    yield* expectStored("there are two", [first, second])
  },
  *"lets exactly one of many concurrent writers take a version number"(store) {
    yield* transcribeJob(1)
    let state = recognised(1)
    for (const round of upTo(4)) {
      const rivals = upTo(16).map((writer) =>
        correct(state, correctText(writer, `${round} by ${writer}`), {
          number: round * 100 + writer
        })
      )
      const { winners } = yield* race(rivals, store.commit)
      yield* Expect.that("one writer has the version number", winners.length).is(1)
      const [winner] = winners
      if (winner === undefined) return
      yield* Expect.that(
        "the other writers are refused, and wrote nothing",
        (yield* storedCorrections(1)).current
      ).is(winner.next)
      state = winner.next
    }
  },
  *"refuses corrections when there is no transcript"(store) {
    yield* insertJob(makeUploadJob(1))
    for (const number of [1, 2]) {
      const first = correct(recognised(number), nameSpeaker("Ana"), { number: 1 })
      yield* Expect.refuses(store.commit(first), "Absent")
      yield* expectStored("nothing is written", [], number)
    }
  }
})

/** A commit that expires a job's transcript, which deletes its text. */
const expiry = { events: [onRetention("TranscriptExpired")], forgotten: { history: [] } }

/** More rows than a store can delete in one step. */
const many = upTo(1_300).map((index) => ({ index, text: `Said ${index}.`, speaker: null }))

/** Inserts a job with its transcript and two versions of corrections. */
const insertCorrected = Effect.fnUntraced(function* (
  number: number,
  second: RequestedCorrection = correctText(0, "Hi there.")
) {
  const job = yield* transcribeJob(number)
  const decisions = correctInOrder(recognised(number), [nameSpeaker("Ana"), second])
  yield* commitAll(decisions)
  return { job, decisions }
})

/** Fails unless the corrections are deleted and no new ones can be written. */
const expectGone = Effect.fnUntraced(function* (number: number) {
  const store = yield* CorrectionStore
  yield* expectStored("nothing is left", [], number)
  yield* store
    .overlayAt(jobId(number), 2)
    .pipe(Expect.gives("no version has an overlay", noCorrections))
  for (const late of correctInOrder(recognised(number), [
    nameSpeaker("Ben"),
    nameSpeaker("Cleo")
  ])) {
    yield* Expect.refuses(store.commit(late), "Absent")
  }
})

const removals: Cases<Ports> = workspaceCases(CorrectionStore, {
  *"deletes all of a job's corrections together with the job, however many there are"() {
    const [jobs, retention] = [yield* JobStore, yield* RetentionStore]
    for (const number of upTo(3)) yield* insertCorrected(number, reading(many))
    const [first, second, third] = yield* Effect.forEach(upTo(3), (number) =>
      Effect.flatMap(jobs.find(workspaceId(1), jobId(number)), Effect.fromOption)
    )
    if (first === undefined || second === undefined || third === undefined) return
    yield* jobs
      .remove(workspaceId(1), first.id)
      .pipe(Expect.gives("the job that is removed", Option.some(first)))
    const { id, revision } = second
    yield* retention
      .remove(workspaceId(1), [
        { id, revision },
        { id: third.id, revision: revision + 1 }
      ])
      .pipe(Expect.gives("the old job that is removed", [id]))
    yield* commitJob(third, expiry)
    const ids = [first.id, second.id]
    yield* Expect.that("the jobs do not exist", [
      (yield* jobs.present([...ids, third.id])).size,
      ...(yield* Effect.forEach(ids, (gone) => jobs.history(gone)))
    ]).is([1, [], []])
    for (const number of upTo(3)) {
      yield* jobs
        .transcript(jobId(number))
        .pipe(Expect.gives("the transcript does not exist", Option.none()))
      yield* expectGone(number)
    }
    yield* jobs
      .remove(workspaceId(1), first.id)
      .pipe(Expect.gives("nothing is left to remove", Option.none()))
  },
  *"leaves no correction behind if the transcript is deleted during a correction"(store) {
    const jobs = yield* JobStore
    for (const number of upTo(12)) {
      const { decisions, job } = yield* insertCorrected(number)
      const last = decisions[1]
      if (last === undefined) return
      const late = correct(last.next, nameSpeaker("Too late"), { number: 50 })
      const remove = jobs.remove(workspaceId(1), job.id)
      const expire = commitJob(job, expiry)
      yield* atOnce(
        [Effect.ignore(store.commit(late)), number % 2 === 0 ? remove : expire],
        (each) => each
      )
      yield* jobs
        .transcript(job.id)
        .pipe(Expect.gives("no corrections without their transcript", Option.none()))
      yield* expectGone(number)
    }
  },
  *"leaves the recognised transcript unchanged"() {
    const jobs = yield* JobStore
    const job = yield* transcribeJob(1)
    const before = yield* jobs.transcript(job.id)
    yield* commitAll(
      correctInOrder(recognised(1), [nameSpeaker("Ana"), correctText(0, "Hi there.")])
    )
    yield* jobs.transcript(job.id).pipe(Expect.gives("the transcript is the same", before))
  }
})

/** A few megabytes of corrections, as a search and replace in ten hours of speech makes. */
const manySegments = upTo(5_000).map((index) => ({
  index: index * 23,
  text: `${"é日🎙".repeat(50)} ${index}`,
  speaker: index % 3 === 0 ? `speaker_${index}` : null
}))

const values: Cases<Ports> = workspaceCases(CorrectionStore, {
  *"keeps every text and name in a correction unchanged"() {
    yield* transcribeJob(1)
    const first = correct(
      recognised(1),
      reading(
        awkwardTexts.map((text, index) => ({ index, text, speaker: text === "" ? null : text }))
      ),
      { number: 1 }
    )
    const second = correct(first.next, nameSpeaker('A "B" \\ é日🎙️'), { number: 2 })
    yield* commitAll([first, second])
    yield* expectStored("nothing is changed", [first, second])
  },
  *"keeps corrections to every segment of a ten-hour transcript"(store) {
    yield* transcribeJob(1)
    const first = correct(recognised(1), reading(manySegments), { number: 1 })
    const second = correct(first.next, correctText(23, null), { number: 2 })
    const cleared = reading(manySegments.map(({ index }) => ({ index, text: null, speaker: null })))
    const third = correct(second.next, cleared, { number: 3 })
    yield* commitAll([first, second])
    const current = store.current(jobId(1))
    yield* current.pipe(Expect.gives("all corrections are stored", Option.some(second.next)))
    yield* store.commit(third)
    yield* current.pipe(Expect.gives("no correction is left", Option.some(third.next)))
    yield* store
      .overlayAt(jobId(1), 1)
      .pipe(Expect.gives("the first version is known", first.next.overlay))
  },
  *"finds jobs by corrected words and names, and not by the replaced words"(store) {
    const jobs = yield* JobStore
    yield* transcribeJob(1)
    yield* search("general hello").pipe(Expect.gives("the recognised words", [1]))
    const first = correct(recognised(1), correctText(1, "Jenöral remarks."), { number: 1 })
    const rival = correct(recognised(1), correctText(1, "Rival."), { number: 2 })
    yield* store.commit(first)
    yield* Expect.refuses(store.commit(rival), "Superseded")
    const found = Effect.all(
      ["general", "jenoral", "rival", "hello", "ana"].map((it) => search(it))
    )
    yield* found.pipe(Expect.gives("the corrected word", [[], [1], [], [1], []]))
    yield* jobs
      .moments(jobId(1), ["jenoral"])
      .pipe(
        Expect.gives("the passage of the match", [{ startMillis: 1_000, text: "Jenöral remarks." }])
      )
    const split = { index: 1, at: 8, text: null, speaker: "Ana", edge: "split" } as const
    const second = correct(first.next, reading([split]), { number: 3 })
    yield* store.commit(second)
    yield* found.pipe(Expect.gives("the speaker of the second part too", [[], [1], [], [1], [1]]))
    const back = correct(second.next, restoreVersion(0, noCorrections), { number: 4 })
    yield* store.commit(back)
    yield* found.pipe(Expect.gives("the recognised word again", [[1], [], [], [1], []]))
  },
  *"finds the last version written under an idempotency key"(store) {
    yield* transcribeJob(1)
    const key = IdempotencyKey.make("once")
    const first = correct(recognised(1), nameSpeaker("Ana"), {
      number: 1,
      request: { key, fingerprint: "a" }
    })
    const second = correct(first.next, nameSpeaker("Ben"), { number: 2 })
    const third = correct(second.next, nameSpeaker("Cleo"), {
      number: 3,
      request: { key, fingerprint: "b" }
    })
    const requested = Effect.map(store.requested(jobId(1), key), (found) =>
      Option.map(found, ({ request, version }) => ({ request, version }))
    )
    yield* requested.pipe(
      Expect.gives("no version was written under the key before", Option.none())
    )
    yield* commitAll([first, second])
    yield* requested.pipe(
      Expect.gives("the first one", Option.some({ request: { key, fingerprint: "a" }, version: 1 }))
    )
    yield* store.commit(third)
    yield* requested.pipe(
      Expect.gives("the last one", Option.some({ request: { key, fingerprint: "b" }, version: 3 }))
    )
    yield* store
      .requested(jobId(1), IdempotencyKey.make("other"))
      .pipe(Expect.gives("no version was written under another key", Option.none()))
  }
})

export const contract: Contract<Ports> = {
  port: "CorrectionStore",
  cases: [...versions, ...fences, ...values, ...removals]
}
