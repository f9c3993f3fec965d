/**
 * What callers may wish for, read from what they send and judged by what was recognised. A wish
 * for one segment says only what changes: what it leaves out stays as it is corrected.
 */
import { Option, Result } from "effect"
import { hasControl, isStorable } from "../schema/StorableText.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import {
  changeMax,
  nameLengthMax,
  segmentLengthMax,
  type TranscriptOutline
} from "./CorrectionLimits.ts"
import type { Overlay, SegmentReading, SpeakerNaming } from "./Overlay.ts"

/** A name for each speaker; null takes it away. */
export type SpeakerWish = ReadonlyArray<SpeakerNaming>

/** What changes of one segment; null puts back what was recognised. */
export interface SegmentWish {
  readonly index: number
  readonly text?: string | null
  readonly speaker?: string | null
}

const refuse = (parameter: string, rule: string) =>
  Result.fail(new InvalidParameter({ parameter, detail: `'${parameter}' ${rule}` }))

type Judged<A> = Result.Result<A, InvalidParameter>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Control characters, and what breaks a line: a name stands in one line of subtitles. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

const nameRule = `must be a string of 1 to ${nameLengthMax} characters, or null`

/** Why a text is no name of a speaker; undefined when it is one. */
const judgeName = (value: unknown): string | undefined => {
  if (typeof value !== "string" || value.length > nameLengthMax) return nameRule
  if (value.trim() === "") return nameRule
  if (value.trim() !== value) return "must not begin or end with a space"
  return control.test(value) || !isStorable(value) ? "must not have control characters" : undefined
}

const textRule = `must be a string of at most ${segmentLengthMax} characters, or null`

const judgeText = (value: unknown): string | undefined => {
  if (typeof value !== "string" || value.length > segmentLengthMax) return textRule
  if (!isStorable(value)) return "must not have NUL or half of a character"
  return hasControl(value)
    ? "must not have control characters other than tabs and line breaks"
    : undefined
}

/** Longest part of what was sent that is repeated to the caller. */
const shownMax = 100

const show = (text: string): string => text.slice(0, shownMax).toWellFormed().replaceAll("\0", "")

/** Reads names of speakers: an object such as `{"speaker_0": "Ana"}`. */
export const parseNames = (body: unknown): Judged<SpeakerWish> => {
  if (!isObject(body)) return refuse("speakers", "must be an object of names by speakers")
  const entries = Object.entries(body)
  if (entries.length > changeMax) return refuse("speakers", `must be at most ${changeMax}`)
  const namings: Array<SpeakerNaming> = []
  for (const [speaker, name] of entries) {
    const problem = name === null ? undefined : judgeName(name)
    if (problem !== undefined) return refuse(show(speaker), problem)
    namings.push({ speaker, name: typeof name === "string" ? name : null })
  }
  return Result.succeed(namings)
}

const segmentFields: ReadonlySet<string> = new Set(["index", "text", "speaker"])

const parseSegment = (value: unknown, path: string): Judged<SegmentWish> => {
  if (!isObject(value)) return refuse(path, "must be an object with 'index'")
  const unknown = Object.keys(value).find((field) => !segmentFields.has(field))
  if (unknown !== undefined) return refuse(path, `must not have '${show(unknown)}'`)
  const { index, speaker, text } = value
  if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0) {
    return refuse(`${path}.index`, "must be the number of a segment, counted from 0")
  }
  if (text === undefined && speaker === undefined) {
    return refuse(path, "must have 'text' or 'speaker'")
  }
  const textProblem = text === undefined || text === null ? undefined : judgeText(text)
  if (textProblem !== undefined) return refuse(`${path}.text`, textProblem)
  const nameProblem = speaker === undefined || speaker === null ? undefined : judgeName(speaker)
  if (nameProblem !== undefined) return refuse(`${path}.speaker`, nameProblem)
  return Result.succeed({
    index,
    ...(text === undefined ? {} : { text: typeof text === "string" ? text : null }),
    ...(speaker === undefined ? {} : { speaker: typeof speaker === "string" ? speaker : null })
  })
}

/** Reads corrections of segments: a list such as `[{"index": 3, "text": "Hello."}]`. */
export const parseSegments = (body: unknown): Judged<ReadonlyArray<SegmentWish>> => {
  if (!Array.isArray(body)) return refuse("segments", "must be a list of segments")
  if (body.length > changeMax) return refuse("segments", `must be at most ${changeMax}`)
  const wishes: Array<SegmentWish> = []
  const indices = new Set<number>()
  for (const [place, value] of body.entries()) {
    const parsed = parseSegment(value, `segments[${place}]`)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const { index } = parsed.success
    if (indices.has(index)) return refuse(`segments[${place}].index`, "must not be there twice")
    indices.add(index)
    wishes.push(parsed.success)
  }
  return Result.succeed(wishes)
}

/** Reads the version to go back to: an object such as `{"version": 3}`. */
export const parseTarget = (body: unknown): Judged<number> => {
  const version = isObject(body) ? body.version : undefined
  return typeof version === "number" && Number.isSafeInteger(version) && version >= 0
    ? Result.succeed(version)
    : refuse("version", "must be the number of a version, or 0 for what was recognised")
}

/** Reads the number of a version in a path; none when there can be none. */
export const parseVersion = (text: string): Option.Option<number> =>
  /^(?:0|[1-9]\d{0,8})$/.test(text) ? Option.some(Number(text)) : Option.none()

/** The change that names speakers. Only those who were recognised have a name to change. */
export const toNaming = (outline: TranscriptOutline, wish: SpeakerWish): Judged<Overlay> => {
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
