/** Tests how live events change the text recognised so far. */
import { assert, describe, it } from "vitest"
import {
  addPieces,
  describePieces,
  isPiece,
  type LoadedJob,
  type PieceEvent
} from "../../page/job/JobHistory.ts"

const at = "2026-01-02T03:04:05.678Z"

const toEvent = (revision: number, piece: number, texts: Readonly<Record<string, string>> = {}) => {
  const segments = Object.entries(texts).map(([start, text]) => {
    return { start, end: `${Number(start) + 1}`, text }
  })
  const event = { revision, at, about: "transcription", event: "piece_recognised" } as const
  return { ...event, piece, pieces: 3, segments } satisfies PieceEvent
}

const loaded = {
  job: { partial_output: { duration: "3", language: "en", list: [] } },
  history: { events: [{ revision: 1, at, about: "job", event: "accepted" }] }
} as unknown as LoadedJob

const textOf = ({ job }: LoadedJob) => job.partial_output?.list.map(({ text }) => text).join(" ")

describe("the text recognised so far", () => {
  it("grows in order, and counts pieces that are not readable yet", () => {
    const some = addPieces(loaded, [toEvent(2, 1), toEvent(3, 0, { 0: "one", 30: "two" })])
    assert.strictEqual(textOf(some), "one two")
    assert.strictEqual(
      describePieces(some.history.events.filter(isPiece)),
      "2 of 3 pieces recognised"
    )
    const all = addPieces(some, [toEvent(4, 2, { 60: "three" })])
    assert.strictEqual(textOf(all), "one two three")
  })

  it("is replaced from the start of the first segment in an event", () => {
    const before = addPieces(loaded, [toEvent(2, 0, { 0: "one" }), toEvent(3, 1, { 30: "two" })])
    const later = addPieces(before, [toEvent(4, 1, { 29: "other" })])
    assert.strictEqual(textOf(later), "one other")
    assert.strictEqual(textOf(addPieces(later, [toEvent(5, 0, { 0: "new" })])), "new")
  })

  it("appears in the history on one line, with the number of reused pieces", () => {
    const reused = { ...toEvent(3, 1), reused: true }
    assert.strictEqual(describePieces([toEvent(2, 0)]), "1 of 3 pieces recognised")
    assert.strictEqual(
      describePieces([toEvent(2, 0), reused, toEvent(4, 2)]),
      "3 of 3 pieces recognised, 1 of them reused"
    )
  })

  it("ignores events whose text it already contains", () => {
    const events = [toEvent(2, 0, { 0: "one" }), toEvent(3, 1, { 30: "two" })]
    const both = addPieces(loaded, events)
    assert.deepStrictEqual(addPieces(both, events), both)
    assert.deepStrictEqual(addPieces(loaded, [...events, ...events]), both)
  })
})
