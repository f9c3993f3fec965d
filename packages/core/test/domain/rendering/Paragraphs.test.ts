/** Tests the three reasons to begin a new paragraph. */
import { assert, describe, it } from "@effect/vitest"
import { type Paragraph, paragraphs } from "#src/domain/rendering/Paragraphs"
import { join, type Sentence, sentences } from "#src/domain/rendering/Sentences"
import { spoken } from "./spoken.ts"
import { anyTranscript, transcriptOf } from "./transcripts.ts"

const texts = (found: ReadonlyArray<Paragraph>) => found.map(({ sentences }) => join(sentences))

describe("Paragraphs", () => {
  it("begin when the speaker changes, even in mid-sentence", () => {
    const found = paragraphs(
      transcriptOf("en", [
        [0, 1, 0, "We left."],
        [1, 2, 1, "Did you"],
        [2, 3, 1, "sleep?"],
        [3, 4, 0, "I"],
        [4, 5, 1, "Well?"]
      ])
    )
    assert.deepStrictEqual(texts(found), ["We left.", "Did you sleep?", "I", "Well?"])
    assert.deepStrictEqual(
      found.map(({ speaker, startMillis }) => [startMillis, speaker]),
      [
        [0, "speaker_0"],
        [1000, "speaker_1"],
        [3000, "speaker_0"],
        [4000, "speaker_1"]
      ]
    )
  })

  it("begin if at least two seconds of silence follow a sentence", () => {
    const again = (start: number) =>
      texts(paragraphs(spoken(["0-1000 We left.", `${start}-5000 It rained.`])))
    assert.deepStrictEqual(again(2_999), ["We left. It rained."])
    assert.deepStrictEqual(again(3_000), ["We left.", "It rained."])
  })

  it("begin after a sentence that makes a paragraph longer than sixty seconds", () => {
    const begin = ["0-30000 We left.", "30000-50000 It rained"]
    const until = (end: number) =>
      texts(paragraphs(spoken([...begin, `50000-${end} all day.`, `${end}-69000 Then we slept.`])))
    assert.deepStrictEqual(until(60_000), ["We left. It rained all day. Then we slept."])
    assert.deepStrictEqual(until(60_001), ["We left. It rained all day.", "Then we slept."])
  })

  it.prop("contain every sentence once, in order", [anyTranscript], ([transcript]) => {
    const found = paragraphs(transcript)
    assert.deepStrictEqual(
      found.flatMap(({ sentences }) => sentences),
      sentences(transcript)
    )
    assert.isTrue(found.every(({ sentences }) => sentences.length > 0))
  })

  it.prop(
    "end only where one of the three rules requires a new paragraph",
    [anyTranscript],
    ([transcript]) => {
      const found = paragraphs(transcript)
      for (const [index, { sentences, speaker, startMillis }] of found.entries()) {
        const ends = (last: Sentence, next: Sentence) =>
          next.speaker !== speaker ||
          next.startMillis - last.endMillis >= 2000 ||
          last.endMillis - startMillis > 60_000
        const following = found[index + 1]?.sentences[0]
        for (const [position, last] of sentences.entries()) {
          const next = sentences[position + 1]
          if (next !== undefined) assert.isFalse(ends(last, next))
          else if (following !== undefined) assert.isTrue(ends(last, following))
        }
      }
    }
  )
})
