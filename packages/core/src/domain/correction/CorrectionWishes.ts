/**
 * What callers may wish for, read from what they send and judged by what was recognised. A wish
 * for one segment says only what changes: what it leaves out stays as it is corrected.
 */
import { Option, Result, Schema } from "effect"
import { formatPath, foundIn } from "../schema/Problem.ts"
import { hasControl, isStorable } from "../schema/StorableText.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import {
  changeMax,
  nameLengthMax,
  segmentLengthMax,
  type TranscriptOutline
} from "./CorrectionLimits.ts"
import type { Overlay, SegmentReading, SpeakerNaming } from "./Overlay.ts"

/** A rule that JSON Schema does not express. */
const rule = <A>(message: string, isKept: (value: A) => boolean) =>
  Schema.makeFilter<A>(isKept, { message, toJsonSchema: () => [{}, true] })

/** Control characters, and what breaks a line: a name stands in one line of subtitles. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

const nameRule = { message: `must be a string of 1 to ${nameLengthMax} characters, or null` }

const NameOrNull = Schema.NullOr(
  Schema.String.check(
    Schema.isMinLength(1, nameRule),
    Schema.isMaxLength(nameLengthMax, nameRule),
    rule(nameRule.message, (name) => name.trim() !== ""),
    rule("must not begin or end with a space", (name) => name.trim() === name),
    rule("must not have control characters", (name) => !control.test(name) && isStorable(name))
  )
).annotate(nameRule)

const textRule = { message: `must be a string of at most ${segmentLengthMax} characters, or null` }

const TextOrNull = Schema.NullOr(
  Schema.String.check(
    Schema.isMaxLength(segmentLengthMax, textRule),
    rule("must not have NUL or half of a character", isStorable),
    rule(
      "must not have control characters other than tabs and line breaks",
      (text) => !hasControl(text)
    )
  )
).annotate(textRule)

/** A number of something, from 0 on. */
const countedFrom0 = (annotations: { readonly message: string; readonly description: string }) => {
  const { message } = annotations
  return Schema.Number.annotate({ message })
    .check(Schema.isInt({ message }), Schema.isGreaterThanOrEqualTo(0, { message }))
    .annotate(annotations)
}

/** Names by speakers. */
export const SpeakerNames = Schema.Record(Schema.String, NameOrNull)
  .annotate({ message: "must be an object of names by speakers" })
  .check(rule(`must be at most ${changeMax}`, (names) => Object.keys(names).length <= changeMax))

/** What changes of one segment; what is left out stays as it is corrected. */
const SegmentWish = Schema.Struct({
  index: countedFrom0({
    message: "must be the number of a segment, counted from 0",
    description: "Where the segment stands in the `output` of the job, counted from 0."
  }),
  text: Schema.optionalKey(
    TextOrNull.annotate({
      description: "What was said; empty for nothing. Null puts back what was recognised."
    })
  ),
  speaker: Schema.optionalKey(
    NameOrNull.annotate({
      description: "A speaker as recognised, or a name. Null puts back what was recognised."
    })
  )
})
  .annotate({ message: "must be an object with 'index'" })
  .check(rule("must have 'text' or 'speaker'", (wish) => "text" in wish || "speaker" in wish))
export type SegmentWish = typeof SegmentWish.Type

/** Corrections of segments. */
export const SegmentCorrections = Schema.Array(SegmentWish)
  .annotate({ message: "must be a list of segments" })
  .check(Schema.isMaxLength(changeMax, { message: `must be at most ${changeMax}` }))

/** The version to go back to. */
export const CorrectionTarget = Schema.Struct({
  version: countedFrom0({
    message: "must be the number of a version, or 0 for what was recognised",
    description: "The number of an earlier version; 0 for what was recognised."
  })
})

const refuse = (parameter: string, rule: string) =>
  Result.fail(new InvalidParameter({ parameter, detail: `'${parameter}' ${rule}` }))

type Judged<A> = Result.Result<A, InvalidParameter>

/** Longest part of what was sent that is repeated to the caller. */
const shownMax = 100

const show = (text: string): string => text.slice(0, shownMax).toWellFormed().replaceAll("\0", "")

/** Makes the reader of a body: the first broken rule is refused, under the name of its place. */
const makeRead = <A>(
  schema: Schema.ConstraintDecoder<A>,
  nameOf: (path: ReadonlyArray<PropertyKey>) => string,
  onExcessProperty: "error" | "ignore" = "error"
) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty, reportInput: true })
  return (body: unknown): Judged<A> =>
    Result.orElse(decode(body), ({ issue }) => {
      const [{ path, rule } = { path: [], rule: "not valid" }] = foundIn(issue)
      if (rule !== "unknown property") {
        return refuse(nameOf(path), rule === "required" ? "is required" : rule)
      }
      return refuse(nameOf(path.slice(0, -1)), `must not have '${show(String(path.at(-1)))}'`)
    })
}

const readNames = makeRead(SpeakerNames, ([speaker = "speakers"]) => show(String(speaker)))

/** Reads names of speakers: an object such as `{"speaker_0": "Ana"}`. */
export const parseNames = (body: unknown): Judged<ReadonlyArray<SpeakerNaming>> =>
  Result.map(readNames(body), (names) =>
    Object.entries(names).map(([speaker, name]) => ({ speaker, name }))
  )

const readSegments = makeRead(SegmentCorrections, (path) => formatPath(["segments", ...path]))

/** Reads corrections of segments: a list such as `[{"index": 3, "text": "Hello."}]`. */
export const parseSegments = (body: unknown): Judged<ReadonlyArray<SegmentWish>> =>
  Result.flatMap(readSegments(body), (wishes) => {
    const indices = new Set<number>()
    for (const [place, { index }] of wishes.entries()) {
      if (indices.has(index)) return refuse(`segments[${place}].index`, "must not be there twice")
      indices.add(index)
    }
    return Result.succeed(wishes)
  })

/** An answer about corrections may be sent back as it is: it names its version. */
const readTarget = makeRead(CorrectionTarget, () => "version", "ignore")

/** Reads the version to go back to: an object such as `{"version": 3}`. */
export const parseTarget = (body: unknown): Judged<number> =>
  Result.map(readTarget(body), ({ version }) => version)

/** Reads the number of a version in a path; none when there can be none. */
export const parseVersion = (text: string): Option.Option<number> =>
  /^(?:0|[1-9]\d{0,8})$/.test(text) ? Option.some(Number(text)) : Option.none()

/** The change that names speakers. Only those who were recognised have a name to change. */
export const toNaming = (
  outline: TranscriptOutline,
  wish: ReadonlyArray<SpeakerNaming>
): Judged<Overlay> => {
  const unknown = wish.find(({ speaker }) => !outline.speakers.includes(speaker))
  return unknown === undefined
    ? Result.succeed({ speakers: wish, segments: [] })
    : refuse(show(unknown.speaker), "is not a speaker of the transcript")
}

/** The change that corrects segments, over what is corrected already. */
export const toReadings = (
  { outline, overlay }: { readonly outline: TranscriptOutline; readonly overlay: Overlay },
  wishes: ReadonlyArray<SegmentWish>
): Judged<Overlay> => {
  const beyond = wishes.findIndex(({ index }) => index >= outline.segments)
  if (beyond !== -1) {
    const rule = `must be below ${outline.segments}, the number of segments`
    return refuse(`segments[${beyond}].index`, rule)
  }
  const wished = new Map(wishes.map((wish) => [wish.index, wish]))
  const before = new Map<number, SegmentReading>()
  for (const reading of overlay.segments) {
    if (wished.has(reading.index)) before.set(reading.index, reading)
  }
  const segments = wishes.map(({ index, speaker, text }) => {
    const earlier = before.get(index)
    return {
      index,
      text: text === undefined ? (earlier?.text ?? null) : text,
      speaker: speaker === undefined ? (earlier?.speaker ?? null) : speaker
    }
  })
  return Result.succeed({ speakers: [], segments })
}
