/** Tests speakers in several pieces. */
import { assert, describe, it } from "@effect/vitest"
import { segmentsOf, toPieceResult } from "#src/engines/pieces/Timeline"

const answer = (start: number, speaker?: string) => ({
  start,
  end: start + 1,
  text: "Hello.",
  hasSpaceBefore: undefined,
  speaker,
  words: []
})

const piece = (index: number, speakers: ReadonlyArray<string | undefined>) => ({
  startMillis: index * 10_000,
  endMillis: (index + 1) * 10_000,
  result: toPieceResult(
    { language: "en", segments: speakers.map((speaker, at) => answer(at, speaker)) },
    { known: new Set(index === 0 ? [] : ["speaker_0"]), millis: 10_000 }
  )
})

describe("A segment without a speaker", () => {
  it("belongs to the previous speaker, even one known by a voice sample", () => {
    const pieces = [piece(0, ["A", "B"]), piece(1, ["speaker_0", undefined, "C", undefined])]
    assert.deepStrictEqual(
      segmentsOf(pieces, { isDiarized: true }).map(({ speaker }) => speaker),
      ["speaker_0", "speaker_1", "speaker_0", "speaker_0", "speaker_2", "speaker_2"]
    )
  })
})
