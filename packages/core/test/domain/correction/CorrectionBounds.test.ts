/** No sequence of corrections exceeds the limits. */
import { assert, describe, it } from "@effect/vitest"
import { apiKeyId, correctionId, instant, jobId, userId } from "@verbatim/testkit/samples"
import { Option, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { overlayOf, State, versionOf, writtenLengthOf } from "#src/domain/correction/Correction"
import { decide, type RequestedCorrection } from "#src/domain/correction/CorrectionDecision"
import {
  nameLengthMax,
  segmentLengthMax,
  textLengthMax,
  versionMax,
  writtenLengthMax
} from "#src/domain/correction/CorrectionLimits"
import { isEmpty, lengthOf, type Overlay } from "#src/domain/correction/Overlay"

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

const goBack = (version: number, overlay: Overlay): RequestedCorrection => ({
  _tag: "GoBack",
  version,
  overlay
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
        : goBack(versionOf(old), overlayOf(old))
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
        assert.isTrue(isAccepted(after, goBack(0, { speakers: [], segments: [] })))
        if (kind === "Change")
          assert.isTrue(isAccepted(after, goBack(versionOf(before), overlayOf(before))))
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
