/**
 * What a `CorrectionStore` promises: versions in a row, each atomic, fenced by the one before it.
 */
import { type CorrectionDecision, noCorrections, type Overlay } from "@verbatim/core/correction"
import { CorrectionStore } from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import { jobId, upTo } from "../../../samples/Ids.ts"
import {
  correct,
  correctInTurn,
  goingBack,
  naming,
  reading,
  recognised,
  saying
} from "../../../samples/SampleCorrection.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { insertJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { removals } from "./CorrectionStoreRemovals.ts"
import { values } from "./CorrectionStoreValues.ts"
import {
  commitAll,
  insertTranscribed,
  nothing,
  type Ports,
  storedCorrections
} from "./Transcribed.ts"

export type { Ports }

/** Names and texts, some of them put back. */
const wishes = [
  naming("Ana"),
  saying(1, "General remarks, and others."),
  reading([
    { index: 0, text: null, speaker: "Ben" },
    { index: 7, text: "", speaker: null }
  ]),
  naming("Zoë", "speaker_1"),
  naming(null),
  saying(1, null)
]

const overlayAfter = (decisions: ReadonlyArray<CorrectionDecision>, version: number): Overlay =>
  decisions[version - 1]?.next.overlay ?? noCorrections

const versions: ReadonlyArray<Case<Ports>> = workspaceCases(CorrectionStore, {
  *"has no corrections where nobody made any"(store) {
    yield* insertTranscribed(1)
    yield* Expect.that("nothing is there", yield* storedCorrections(1)).is(nothing)
    yield* Expect.that(
      "nothing is corrected in no version",
      yield* store.overlayAt(jobId(1), 0)
    ).is(noCorrections)
    yield* Expect.that(
      "a job that is unknown has none",
      Option.isNone(yield* store.current(jobId(2)))
    ).is(true)
  },
  *"keeps each version, and everything as the last one left it"() {
    yield* insertTranscribed(1)
    const decisions = correctInTurn(recognised(1), wishes)
    for (const [index, decision] of decisions.entries()) {
      yield* commitAll([decision])
      yield* Expect.that("all of it is stored", yield* storedCorrections(1)).is({
        current: decision.next,
        numbers: upTo(index + 1).toReversed(),
        whole: decisions
          .slice(0, index + 1)
          .map(({ version }) => version)
          .toReversed()
      })
    }
  },
  *"knows everything that was corrected at each version"(store) {
    yield* insertTranscribed(1)
    const first = correctInTurn(recognised(1), wishes)
    const last = first.at(-1)
    if (last === undefined) return
    const back = correct(last.next, goingBack(3, overlayAfter(first, 3)), { number: 99 })
    const decisions = [...first, back]
    yield* commitAll(decisions)
    for (const version of [0, ...upTo(decisions.length)]) {
      yield* Expect.that(
        `it is what version ${version} left`,
        yield* store.overlayAt(jobId(1), version)
      ).is(overlayAfter(decisions, version))
    }
    yield* Expect.that(
      "the last one equals the third",
      overlayAfter(decisions, decisions.length)
    ).is(overlayAfter(decisions, 3))
  },
  *"gives versions page by page, the latest first"(store) {
    yield* insertTranscribed(1)
    yield* commitAll(correctInTurn(recognised(1), wishes))
    const page = (before: Option.Option<number>) =>
      Effect.map(store.versions(jobId(1), { before, limit: 4 }), (found) =>
        found.map(({ version }) => version)
      )
    yield* page(Option.none()).pipe(Expect.gives("the latest", [6, 5, 4, 3]))
    yield* page(Option.some(3)).pipe(Expect.gives("the ones before", [2, 1]))
    yield* page(Option.some(1)).pipe(Expect.gives("none before the first", []))
  },
  *"keeps the corrections of several transcripts apart"() {
    yield* insertTranscribed(1)
    yield* insertTranscribed(2)
    const one = correct(recognised(1), naming("Ana"), { number: 1 })
    const other = correct(recognised(2), saying(0, "Hi there."), { number: 2 })
    yield* commitAll([one, other])
    for (const { next, version } of [one, other]) {
      const number = next.id === jobId(1) ? 1 : 2
      yield* Expect.that("each has its own", yield* storedCorrections(number)).is({
        current: next,
        numbers: [1],
        whole: [version]
      })
    }
  }
})

const fences: ReadonlyArray<Case<Ports>> = workspaceCases(CorrectionStore, {
  *"refuses a version that was decided on another one, and writes nothing of it"(store) {
    yield* insertTranscribed(1)
    const first = correct(recognised(1), naming("Ana"), { number: 1 })
    const early = correct(first.next, saying(0, "Too early."), { number: 2 })
    yield* Expect.refuses(store.commit(early), "Superseded")
    yield* store.commit(first)
    const rival = correct(recognised(1), saying(0, "Too late."), { number: 3 })
    yield* Expect.refuses(store.commit(rival), "Superseded")
    const second = correct(first.next, naming("Ben"), { number: 4 })
    yield* store.commit(second)
    yield* Expect.refuses(store.commit(early), "Superseded")
    yield* Expect.that("the versions are those that were written", yield* storedCorrections(1)).is({
      current: second.next,
      numbers: [2, 1],
      whole: [second.version, first.version]
    })
  },
  *"writes a version once, however often it is written"(store) {
    yield* insertTranscribed(1)
    const first = correct(recognised(1), naming("Ana"), { number: 1 })
    yield* store.commit(first)
    yield* store.commit(first)
    const second = correct(first.next, saying(0, "Hi."), { number: 2 })
    yield* store.commit(second)
    yield* store.commit(second)
    // Also when others have written since.
    yield* store.commit(first)
    yield* Expect.that("there are two", yield* storedCorrections(1)).is({
      current: second.next,
      numbers: [2, 1],
      whole: [second.version, first.version]
    })
  },
  *"lets exactly one of many writers have a version"(store) {
    yield* insertTranscribed(1)
    let state = recognised(1)
    for (const round of upTo(4)) {
      const rivals = upTo(16).map((writer) =>
        correct(state, saying(writer, `${round} by ${writer}`), { number: round * 100 + writer })
      )
      const outcomes = yield* atOnce(rivals, (rival) => Effect.result(store.commit(rival)))
      const winners = outcomes.flatMap((outcome, index) =>
        Result.isSuccess(outcome) ? rivals.slice(index, index + 1) : []
      )
      yield* Expect.that("one has it", winners.length).is(1)
      const [winner] = winners
      if (winner === undefined) return
      yield* Expect.that(
        "the others find it taken, and nothing of them is there",
        (yield* storedCorrections(1)).current
      ).is(winner.next)
      state = winner.next
    }
  },
  *"shows one version as a whole, while others are written"(store) {
    yield* insertTranscribed(1)
    const decisions = correctInTurn(
      recognised(1),
      upTo(20).map((round) =>
        reading(upTo(50).map((index) => ({ index, text: `version ${round}`, speaker: null })))
      )
    )
    const states = new Map(decisions.map(({ next }) => [next.version, next]))
    const look = Effect.gen(function* () {
      for (const _ of upTo(60)) {
        const seen = Option.getOrUndefined(yield* store.current(jobId(1)))
        yield* Expect.that("it is what a version left", seen).is(
          seen === undefined ? undefined : states.get(seen.version)
        )
      }
    })
    yield* Effect.all([commitAll(decisions), look, look], { concurrency: "unbounded" })
  },
  *"refuses corrections where there is no transcript"(store) {
    yield* insertJob(makeUploadJob(1))
    for (const number of [1, 2]) {
      const first = correct(recognised(number), naming("Ana"), { number: 1 })
      yield* Expect.refuses(store.commit(first), "Absent")
      yield* Expect.that("nothing is written", yield* storedCorrections(number)).is(nothing)
    }
  }
})

/** All of them. */
export const contract: Contract<Ports> = {
  port: "CorrectionStore",
  cases: [...versions, ...fences, ...values, ...removals]
}
