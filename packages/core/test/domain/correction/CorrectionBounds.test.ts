/** No sequence of corrections exceeds the limits. */
import { assert, describe, it } from "@effect/vitest"
import {
  apiKeyId,
  correctionId,
  instant,
  jobId,
  restoreVersion,
  userId
} from "@verbatim/testkit/samples"
import { Option, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { overlayOf, State, versionOf, writtenLengthOf } from "#src/domain/correction/Correction"
import { decide, type RequestedCorrection } from "#src/domain/correction/CorrectionDecision"
import { parseNames, parseSegments } from "#src/domain/correction/CorrectionInput"
import {
  nameLengthMax,
  segmentLengthMax,
  textLengthMax,
  versionMax,
  writtenLengthMax
} from "#src/domain/correction/CorrectionLimits"
import { isEmpty, lengthOf, type Overlay } from "#src/domain/correction/Overlay"
import { toReadings } from "#src/domain/correction/SegmentChanges"
import { plainText, srt, vtt } from "#src/domain/rendering/Rendering"

const speakers = ["speaker_0", "speaker_1", "speaker_2"]

const outline = { segments: 60, textLength: 10, speakers }

const author = {
  id: correctionId(1),
  at: instant,
  userId: userId(1),
  keyId: apiKeyId(1),
  request: null
}

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const text = (maximum: number) => Schema.NullOr(between(0, maximum))

/**
 * Generated texts are represented by their lengths, because one request may contain 60 texts of
 * 5,000 characters each.
 */
const step = Schema.Struct({
  /**
   * The number of versions to go back. If there are fewer versions, the step makes a change
   * instead.
   */
  back: Schema.NullOr(between(0, 8)),
  from: between(0, 59),
  count: between(1, 60),
  text: text(segmentLengthMax),
  name: text(nameLengthMax),
  speaker: between(0, 2)
})

/** Starts with no corrections or nearly the maximum, and takes some steps from there. */
const story = Arbitrary.schema(
  Schema.Struct({
    versions: Schema.Literals([0, versionMax - 6, versionMax - 1]),
    written: Schema.Literals([0, 1_500_000, 1_990_000]),
    steps: Schema.Array(step).check(Schema.isMaxLength(25))
  })
)

const said = (length: number | null) => (length === null ? null : "x".repeat(length))

const changeOf = ({ count, from, name, speaker, text }: typeof step.Type): Overlay => ({
  speakers: [{ speaker: speakers[speaker] ?? "", name: said(name) }],
  segments: Array.from({ length: Math.min(count, 60 - from) }, (_, index) => ({
    index: from + index,
    text: said(text),
    speaker: null
  }))
})

const begin = ({ versions, written }: { readonly versions: number; readonly written: number }) =>
  versions === 0
    ? State.cases.Recognised.make({ id: jobId(1), outline })
    : State.cases.Corrected.make({
        id: jobId(1),
        outline,
        version: versions,
        overlay: { speakers: [], segments: [] },
        writtenLength: written
      })

const isAccepted = (state: State, requested: RequestedCorrection) =>
  Result.isSuccess(decide(state, { author, requested }))

/** Whether a step only undoes corrections. */
const isPartOf = (after: Overlay, before: Overlay) =>
  after.speakers.every(({ name, speaker }) =>
    before.speakers.some((earlier) => earlier.speaker === speaker && earlier.name === name)
  ) &&
  after.segments.every(({ index, speaker, text }) =>
    before.segments.some(
      (earlier) =>
        earlier.index === index &&
        (text === null || text === earlier.text) &&
        (speaker === null || speaker === earlier.speaker)
    )
  )

type Kind = "Back" | "Change" | "Undo"

/** Applies the steps, and returns the states before and after each accepted step. */
const play = ({
  steps,
  ...from
}: {
  readonly versions: number
  readonly written: number
  readonly steps: ReadonlyArray<typeof step.Type>
}) => {
  const states: Array<State> = [begin(from)]
  const taken: Array<{ readonly before: State; readonly after: State; readonly kind: Kind }> = []
  for (const each of steps) {
    const before = states.at(-1) ?? begin(from)
    const old = each.back === null ? undefined : states.at(-1 - each.back)
    const requested: RequestedCorrection =
      old === undefined
        ? { _tag: "Change", change: changeOf(each) }
        : restoreVersion(versionOf(old), overlayOf(old))
    const decided = decide(before, { author, requested })
    if (Result.isFailure(decided) || Option.isNone(decided.success)) continue
    const after = decided.success.value.next
    states.push(after)
    const kind = isPartOf(overlayOf(after), overlayOf(before)) ? "Undo" : "Change"
    taken.push({ before, after, kind: old === undefined ? kind : "Back" })
  }
  return taken
}

/**
 * Upper bound on the stored length of a version in which every correction has its maximum length.
 */
const oneMax = textLengthMax(outline) + 40 * (outline.segments + 2 * speakers.length) + 240

/**
 * Upper bounds on the number of versions needed to undo corrections one by one, and on their stored
 * length.
 */
const undoMax = 2 * outline.segments + speakers.length
const undoneMax = 2 * oneMax

/** Splits all corrections into changes that undo one field each. */
const piecesOf = ({ segments, speakers }: Overlay): ReadonlyArray<Overlay> => [
  ...segments.flatMap(({ index, speaker }) => [
    { speakers: [], segments: [{ index, text: null, speaker }] },
    { speakers: [], segments: [{ index, text: null, speaker: null }] }
  ]),
  ...speakers.map(({ speaker }) => ({ speakers: [{ speaker, name: null }], segments: [] }))
]

describe("A sequence of corrections", () => {
  it.prop("never makes the corrected text longer than the limit", [story], ([steps]) => {
    for (const { after } of play(steps)) {
      assert.isAtMost(lengthOf(overlayOf(after)), textLengthMax(outline))
    }
  })

  it.prop("never makes all versions together longer than the limit", [story], ([steps]) => {
    for (const { after, before, kind } of play(steps)) {
      const written = writtenLengthOf(after)
      assert.isAtMost(written, writtenLengthMax(outline) + 2 * oneMax + undoneMax)
      assert.isAtMost(versionOf(after), versionMax + 2 + undoMax)
      assert.isAbove(written, writtenLengthOf(before))
      if (kind !== "Change") continue
      assert.isAtMost(written, writtenLengthMax(outline))
      assert.isAtMost(versionOf(after), versionMax)
    }
  })

  it.prop(
    "can be undone change by change, or by restoring the first version",
    [story],
    ([steps]) => {
      for (const { after, before, kind } of play(steps)) {
        assert.isTrue(isAccepted(after, restoreVersion(0, { speakers: [], segments: [] })))
        if (kind === "Change")
          assert.isTrue(isAccepted(after, restoreVersion(versionOf(before), overlayOf(before))))
      }
    }
  )

  it.prop("can be undone one field at a time", [story], ([steps]) => {
    let state = play(steps).at(-1)?.after ?? begin(steps)
    for (const change of piecesOf(overlayOf(state))) {
      const decided = decide(state, { author, requested: { _tag: "Change", change } })
      assert(Result.isSuccess(decided))
      state = Option.match(decided.success, { onNone: () => state, onSome: ({ next }) => next })
    }
    assert.isTrue(isEmpty(overlayOf(state)))
  })
})

const onlyOutline = { segments: 100, textLength: 10, speakers: ["speaker_0"] }

const overlay = {
  speakers: [],
  segments: [{ index: 3, text: "Hello.", speaker: "Ana" }]
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
      Result.getOrThrow(toReadings({ outline: onlyOutline, overlay }, [{ index: 3, ...requested }]))
        .segments
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
  const recognised = State.cases.Recognised.make({ id: jobId(1), outline: onlyOutline })
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
      outline: onlyOutline,
      version: 1,
      overlay: filled(50),
      writtenLength: 0
    })
    const shorter = { index: 0, text: "short", speaker: null }
    const requested = { _tag: "Change" as const, change: { speakers: [], segments: [shorter] } }
    assert.isTrue(Result.isSuccess(decide(over, { author, requested })))
  })
})
