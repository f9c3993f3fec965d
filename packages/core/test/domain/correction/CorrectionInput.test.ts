/** A requested correction is merged with earlier ones, and refused if the result is too long. */
import { assert, describe, it } from "@effect/vitest"
import { apiKeyId, correctionId, instant, jobId, userId } from "@verbatim/testkit/samples"
import { Option, Result, Schema } from "effect"
import { State } from "#src/domain/correction/Correction"
import { decide } from "#src/domain/correction/CorrectionDecision"
import { parseNames, parseSegments } from "#src/domain/correction/CorrectionInput"
import { segmentLengthMax } from "#src/domain/correction/CorrectionLimits"
import { toReadings } from "#src/domain/correction/SegmentChanges"
import { plainText, srt, vtt } from "#src/domain/rendering/Rendering"

const outline = { segments: 100, textLength: 10, speakers: ["speaker_0"] }

const overlay = {
  speakers: [],
  segments: [{ index: 3, text: "Hello.", speaker: "Ana" }]
}

const author = {
  id: correctionId(1),
  at: instant,
  userId: userId(1),
  keyId: apiKeyId(1),
  request: null
}

/** Control characters other than tabs and line breaks. */
const shownControls = (text: string): ReadonlyArray<string> => {
  const segment = { startMillis: 0, endMillis: 1_000, speaker: "speaker_0", text }
  const transcript = { language: "en", durationMillis: 1_000, segments: [segment] }
  const shown = [plainText(transcript), srt(transcript), vtt(transcript)].join("")
  return shown.match(/[^\P{Cc}\t\n]/gu) ?? []
}

describe("a change to a segment", () => {
  it("leaves missing fields unchanged, and resets null fields", () => {
    const readings = (requested: object) =>
      Result.getOrThrow(toReadings({ outline, overlay }, [{ index: 3, ...requested }])).segments
    assert.deepStrictEqual(readings({ text: "Hi." }), [{ index: 3, text: "Hi.", speaker: "Ana" }])
    assert.deepStrictEqual(readings({ speaker: null }), [
      { index: 3, text: "Hello.", speaker: null }
    ])
  })

  it("is refused if a segment occurs twice, or has an unknown field", () => {
    const refused = (body: unknown) => Result.isFailure(parseSegments(body))
    assert.isTrue(
      refused([
        { index: 1, text: "a" },
        { index: 1, text: "b" }
      ])
    )
    assert.isTrue(refused([{ index: 1, text: "a", begin: 2 }]))
    assert.isTrue(refused([{ index: -1, text: "a" }]))
    assert.isTrue(refused([{ index: 1, text: "\ud800" }]))
    assert.isFalse(refused([{ index: 1, text: "" }]))
  })

  it.prop(
    "never puts control characters into subtitles or texts",
    [Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x9f }))],
    ([before, code]) => {
      const said = `${before}${String.fromCharCode(code)}[31mred`
      const requested = parseSegments([{ index: 0, text: said }])
      const shown = shownControls(
        Result.isSuccess(requested) ? (requested.success[0]?.text ?? "") : ""
      )
      assert.deepStrictEqual(shown, [])
    }
  )

  it("is refused if it has a control character other than tabs and line breaks", () => {
    const answer = (text: string) => Result.getFailure(parseSegments([{ index: 0, text }]))
    for (const text of ["x\u0007", "\u001b[31my", "\u009b31m", "\u007f"]) {
      assert.strictEqual(
        Option.getOrUndefined(answer(text))?.message,
        "'segments[0].text' must not have control characters other than tabs and line breaks"
      )
    }
    assert.isTrue(Option.isNone(answer("one\ttwo\r\nthree\u0085")))
  })

  it("is refused if a speaker's name contains a line break", () => {
    for (const name of ["a\u2028b", "\u0000", " a", "", "x".repeat(81), 7]) {
      assert.isTrue(Result.isFailure(parseNames({ speaker_0: name })), JSON.stringify(name))
    }
  })
})

describe("the limit on corrected text", () => {
  const recognised = State.cases.Recognised.make({ id: jobId(1), outline })
  const filled = (count: number) => ({
    speakers: [],
    segments: Array.from({ length: count }, (_, index) => ({
      index,
      text: "x".repeat(segmentLengthMax),
      speaker: null
    }))
  })
  const change = (count: number) => ({ _tag: "Change" as const, change: filled(count) })

  it("refuses a correction that makes the text too long, but never one that shortens it", () => {
    const full = decide(recognised, { author, requested: change(41) })
    assert.deepInclude(Result.getOrThrow(Result.flip(full)), { of: "Text", max: 200_000 })
    assert.isTrue(Result.isSuccess(decide(recognised, { author, requested: change(40) })))
    const over = State.cases.Corrected.make({
      id: jobId(1),
      outline,
      version: 1,
      overlay: filled(50),
      writtenLength: 0
    })
    const shorter = { index: 0, text: "short", speaker: null }
    const requested = { _tag: "Change" as const, change: { speakers: [], segments: [shorter] } }
    assert.isTrue(Result.isSuccess(decide(over, { author, requested })))
  })
})
