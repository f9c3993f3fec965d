/** What a `CorrectionStore` keeps exactly: texts, names, many segments, and keys of requests. */

import { IdempotencyKey } from "@verbatim/core/idempotency"
import { CorrectionStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, upTo } from "../../../samples/Ids.ts"
import { correct, naming, reading, recognised, saying } from "../../../samples/SampleCorrection.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { commitAll, insertTranscribed, type Ports, storedCorrections } from "./Transcribed.ts"

const texts = [
  "",
  " ",
  "é日🎙️\u2028",
  "\"quoted\" \\ and 'single'",
  "-- not a comment; DROP TABLE jobs",
  "null",
  "true",
  "00012",
  "1e3",
  "\u0001\u001f\n\t",
  "constructor",
  "__proto__"
]

/** Some megabytes in all, as a search and replace in ten hours leaves them. */
const many = upTo(5_000).map((index) => ({
  index: index * 23,
  text: `${"é日🎙".repeat(50)} ${index}`,
  speaker: index % 3 === 0 ? `speaker_${index}` : null
}))

/** The cases. */
export const values: ReadonlyArray<Case<Ports>> = workspaceCases(CorrectionStore, {
  *"keeps texts and names as they are"() {
    yield* insertTranscribed(1)
    const first = correct(
      recognised(1),
      reading(texts.map((text, index) => ({ index, text, speaker: text === "" ? null : text }))),
      { number: 1 }
    )
    const second = correct(first.next, naming('A "B" \\ é日🎙️'), { number: 2 })
    yield* commitAll([first, second])
    yield* Expect.that("nothing is changed", yield* storedCorrections(1)).is({
      current: second.next,
      numbers: [2, 1],
      whole: [second.version, first.version]
    })
  },
  *"keeps as many segments as ten hours may have corrected"(store) {
    yield* insertTranscribed(1)
    const first = correct(recognised(1), reading(many), { number: 1 })
    const second = correct(first.next, saying(23, null), { number: 2 })
    const cleared = reading(many.map(({ index }) => ({ index, text: null, speaker: null })))
    const third = correct(second.next, cleared, { number: 3 })
    yield* commitAll([first, second])
    yield* Expect.that("all are there", Option.getOrNull(yield* store.current(jobId(1)))).is(
      second.next
    )
    yield* store.commit(third)
    yield* Expect.that("none is left", Option.getOrNull(yield* store.current(jobId(1)))).is(
      third.next
    )
    yield* store
      .overlayAt(jobId(1), 1)
      .pipe(Expect.gives("the first version is known", first.next.overlay))
  },
  *"finds the last version that a request made, by its key"(store) {
    yield* insertTranscribed(1)
    const key = IdempotencyKey.make("once")
    const first = correct(recognised(1), naming("Ana"), {
      number: 1,
      request: { key, fingerprint: "a" }
    })
    const second = correct(first.next, naming("Ben"), { number: 2 })
    const third = correct(second.next, naming("Cleo"), {
      number: 3,
      request: { key, fingerprint: "b" }
    })
    const requested = Effect.map(store.requested(jobId(1), key), (found) =>
      Option.map(found, ({ request, version }) => ({ request, version }))
    )
    yield* requested.pipe(Expect.gives("none before", Option.none()))
    yield* commitAll([first, second])
    yield* requested.pipe(
      Expect.gives("the first one", Option.some({ request: { key, fingerprint: "a" }, version: 1 }))
    )
    yield* store.commit(third)
    yield* requested.pipe(
      Expect.gives("the last one", Option.some({ request: { key, fingerprint: "b" }, version: 3 }))
    )
    yield* Expect.that(
      "another key made none",
      Option.isNone(yield* store.requested(jobId(1), IdempotencyKey.make("other")))
    ).is(true)
  }
})
