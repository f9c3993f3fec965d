/**
 * Parses requested corrections, and validates them against the recognised transcript. The change to
 * a segment contains only the fields that change; any other field keeps its correction.
 */
import { Option, Result, Schema } from "effect"
import { findProblems, formatPath } from "../schema/Problem.ts"
import { hasControl, isStorable, toShown } from "../schema/StorableText.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import {
  changeMax,
  nameLengthMax,
  segmentLengthMax,
  type TranscriptOutline
} from "./CorrectionLimits.ts"
import type { Overlay, SpeakerNaming } from "./Overlay.ts"

/** Creates a validation rule that is left out of the derived JSON Schema. */
const rule = <A>(message: string, isKept: (value: A) => boolean) =>
  Schema.makeFilter<A>(isKept, { message, toJsonSchema: () => [{}, true] })

/**
 * Matches control characters and line breaks. Names must not contain these characters, because
 * subtitles show a name on one line.
 */
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
    rule("must not have NUL or a lone surrogate", isStorable),
    rule(
      "must not have control characters other than tabs and line breaks",
      (text) => !hasControl(text)
    )
  )
).annotate(textRule)

/** Creates the schema of a non-negative integer. */
const countedFrom0 = (annotations: { readonly message: string; readonly description: string }) => {
  const { message } = annotations
  return Schema.Number.annotate({ message })
    .check(Schema.isInt({ message }), Schema.isGreaterThanOrEqualTo(0, { message }))
    .annotate(annotations)
}

/** Speaker names, keyed by recognised speaker. */
export const SpeakerNames = Schema.Record(Schema.String, NameOrNull)
  .annotate({ message: "must be an object with speakers as keys and names as values" })
  .check(rule(`must be at most ${changeMax}`, (names) => Object.keys(names).length <= changeMax))

const offsetRule = "must be a number of characters, counted from 0"

/** The requested change to one segment. A field that is left out keeps its correction. */
const SegmentChange = Schema.Struct({
  index: countedFrom0({
    message: "must be the number of a segment, counted from 0",
    description: "Position of the segment in the `output` of the job, counted from 0."
  }),
  text: Schema.optionalKey(
    TextOrNull.annotate({
      description: "The corrected text; empty to remove it. Null restores the recognised text."
    })
  ),
  speaker: Schema.optionalKey(
    NameOrNull.annotate({
      description: "A recognised speaker, or a name. Null restores the recognised speaker."
    })
  ),
  split: Schema.optionalKey(
    Schema.Struct({
      at: countedFrom0({
        message: offsetRule,
        description:
          "Where the second part begins in the segment's text, in UTF-16 units. If the request " +
          "has a `text`, that text is split."
      }),
      speaker: Schema.optionalKey(
        NameOrNull.annotate({
          description: "The speaker of the second part, if it differs from the first."
        })
      )
    }).annotate({
      message: "must be an object with 'at'",
      description: "Splits this segment in two."
    })
  ),
  join: Schema.optionalKey(
    Schema.Literal(true).annotate({
      message: "must be true",
      description: "Joins this segment to the previous one, whose speaker is kept."
    })
  )
})
  .annotate({ message: "must be an object with 'index'" })
  .check(
    rule(
      "must have 'text', 'speaker', 'split' or 'join'",
      (change) => Object.keys(change).length > 1
    ),
    rule(
      "must not have 'join' together with 'speaker' or 'split'",
      ({ join, speaker, split }) =>
        join === undefined || (speaker === undefined && split === undefined)
    )
  )
export type SegmentChange = typeof SegmentChange.Type

/** The list of segment corrections in a request. */
export const SegmentCorrections = Schema.Array(SegmentChange)
  .annotate({ message: "must be a list of segments" })
  .check(Schema.isMaxLength(changeMax, { message: `must be at most ${changeMax}` }))

/** The body of a request to restore a version of the corrections. */
export const CorrectionTarget = Schema.Struct({
  version: countedFrom0({
    message: "must be the number of a version, or 0 for the recognised transcript",
    description: "The number of an earlier version; 0 for the recognised transcript."
  })
})

/** Refuses a parameter, and names the rule that it breaks. */
export const refuse = (parameter: string, rule: string) =>
  Result.fail(new InvalidParameter({ parameter, detail: `'${parameter}' ${rule}` }))

/** A parsed value, or the refusal of a parameter. */
export type Judged<A> = Result.Result<A, InvalidParameter>

const show = (text: string): string => toShown(text).replaceAll("\0", "")

/**
 * Creates a function that parses a body, or refuses it and names the first invalid field and the
 * rule that it breaks.
 */
const makeRead = <A>(
  schema: Schema.ConstraintDecoder<A>,
  nameOf: (path: ReadonlyArray<PropertyKey>) => string,
  onExcessProperty: "error" | "ignore" = "error"
) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty, reportInput: true })
  return (body: unknown): Judged<A> =>
    Result.orElse(decode(body), ({ issue }) => {
      const [{ path, rule } = { path: [], rule: "not valid" }] = findProblems(issue)
      if (rule !== "unknown property") {
        return refuse(nameOf(path), rule === "required" ? "is required" : rule)
      }
      return refuse(nameOf(path.slice(0, -1)), `must not have '${show(String(path.at(-1)))}'`)
    })
}

const readNames = makeRead(SpeakerNames, ([speaker = "speakers"]) => show(String(speaker)))

/** Reads speaker names: an object such as `{"speaker_0": "Ana"}`. */
export const parseNames = (body: unknown): Judged<ReadonlyArray<SpeakerNaming>> =>
  Result.map(readNames(body), (names) =>
    Object.entries(names).map(([speaker, name]) => ({ speaker, name }))
  )

const readSegments = makeRead(SegmentCorrections, (path) => formatPath(["segments", ...path]))

/** Reads segment corrections: a list such as `[{"index": 3, "text": "Hello."}]`. */
export const parseSegments = (body: unknown): Judged<ReadonlyArray<SegmentChange>> =>
  Result.flatMap(readSegments(body), (changes) => {
    const indices = new Set<number>()
    for (const [position, { index }] of changes.entries()) {
      if (indices.has(index)) return refuse(`segments[${position}].index`, "must not occur twice")
      indices.add(index)
    }
    return Result.succeed(changes)
  })

/** Other fields are ignored, so that a client can send a corrections response back unchanged. */
const readTarget = makeRead(CorrectionTarget, () => "version", "ignore")

/** Reads the version to restore: an object such as `{"version": 3}`. */
export const parseTarget = (body: unknown): Judged<number> =>
  Result.map(readTarget(body), ({ version }) => version)

/** Parses the version number in a path; none if it is invalid. */
export const parseVersion = (text: string): Option.Option<number> =>
  /^(?:0|[1-9]\d{0,8})$/.test(text) ? Option.some(Number(text)) : Option.none()

/** Returns the change that sets the names of speakers. Only recognised speakers can be named. */
export const toNaming = (
  outline: TranscriptOutline,
  namings: ReadonlyArray<SpeakerNaming>
): Judged<Overlay> => {
  const unknown = namings.find(({ speaker }) => !outline.speakers.includes(speaker))
  return unknown === undefined
    ? Result.succeed({ speakers: namings, segments: [] })
    : refuse(show(unknown.speaker), "is not a speaker of the transcript")
}
