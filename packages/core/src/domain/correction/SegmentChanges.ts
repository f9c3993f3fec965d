/**
 * Applies requested changes to the segments of a transcript, which a request counts as they are
 * shown: after earlier splits and joins.
 */
import { Result } from "effect"
import type { Segment, Transcript } from "../transcription/Transcript.ts"
import { type Judged, refuse, type SegmentChange } from "./CorrectionInput.ts"
import { segmentLengthMax, type TranscriptOutline } from "./CorrectionLimits.ts"
import { joinSegments, toFragments } from "./Fragments.ts"
import { diffOverlays, isCorrected, type Overlay, type SegmentReading } from "./Overlay.ts"

/** The transcript and its corrections before the changes. */
interface Corrected {
  readonly outline: TranscriptOutline
  readonly overlay: Overlay
  /** The recognised transcript, which only splits and joins need. */
  readonly transcript?: Transcript
}

/** Whether changes split or join segments. */
export const isDividing = (changes: ReadonlyArray<SegmentChange>): boolean =>
  changes.some(({ join, split }) => join !== undefined || split !== undefined)

/** Whether a transcript has split or joined segments, which move the segments after them. */
export const isDivided = ({ segments }: Overlay): boolean =>
  segments.some(({ edge }) => edge !== undefined)

/** Returns the change that corrects segments, in addition to earlier corrections. */
export const toReadings = (
  { outline, overlay, transcript }: Corrected,
  changes: ReadonlyArray<SegmentChange>
): Judged<Overlay> => {
  const work = makeWork(overlay, transcript)
  const { count, shownAt } = findShown(work, { overlay, count: outline.segments })
  const beyond = changes.findIndex(({ index }) => index >= count)
  if (beyond !== -1) {
    const rule = `must be below ${count}, the number of segments`
    return refuse(`segments[${beyond}].index`, rule)
  }
  for (const change of changes) correctShown(work, shownAt(change.index), change)
  for (const [position, { index, join, split }] of changes.entries()) {
    const parameter = `segments[${position}]`
    if (join !== undefined) {
      const broken = index === 0 ? "needs a segment before it" : joinBefore(work, shownAt(index)[0])
      if (broken !== undefined) return refuse(`${parameter}.join`, broken)
    } else if (split !== undefined) {
      const broken = splitShown(work, shownAt(index), split)
      if (broken !== undefined) return refuse(`${parameter}.split.at`, broken)
    }
  }
  return Result.succeed(diffOverlays(overlay, { speakers: overlay.speakers, segments: work.all() }))
}

/** Identifies a fragment. */
type Place = Pick<SegmentReading, "at" | "index">

/** The fragments of a shown segment: one, unless segments were joined. */
type Shown = readonly [Place, ...ReadonlyArray<Place>]

type Work = ReturnType<typeof makeWork>

/** The corrections of all fragments, which changes replace one by one. */
const makeWork = ({ segments }: Overlay, transcript: Transcript | undefined) => {
  const groups: Map<number, ReadonlyArray<SegmentReading>> = Map.groupBy(
    segments,
    ({ index }) => index
  )
  const none = (index: number): SegmentReading => ({ index, text: null, speaker: null })
  /** Returns the readings of all fragments of a recognised segment. */
  const readingsOf = (index: number): ReadonlyArray<SegmentReading> => {
    const found = groups.get(index) ?? []
    return found[0] !== undefined && found[0].at === undefined ? found : [none(index), ...found]
  }
  const readingAt = ({ at, index }: Place): SegmentReading =>
    readingsOf(index).find((each) => each.at === at) ?? none(index)
  return {
    all: (): ReadonlyArray<SegmentReading> => [...groups.values()].flat().filter(isCorrected),
    language: transcript?.language,
    readingsOf,
    readingAt,
    put: (index: number, readings: ReadonlyArray<SegmentReading>) => groups.set(index, readings),
    /** Replaces the reading of one fragment. */
    replace: (reading: SegmentReading) =>
      groups.set(
        reading.index,
        readingsOf(reading.index).map((each) => (each.at === reading.at ? reading : each))
      ),
    /** Returns a fragment as recognised, and with its corrected text. */
    contentOf: ({
      at,
      index
    }: Place): { readonly recognised: string; readonly segment: Segment } => {
      const segment = transcript?.segments[index] ?? nothing
      const found = toFragments(segment, readingsOf(index)).find(
        ({ reading }) => reading?.at === at
      )
      const { fragment = nothing, reading } = found ?? {}
      const text = reading?.text ?? fragment.text
      return { recognised: fragment.text, segment: { ...fragment, text } }
    }
  }
}

const nothing: Segment = { startMillis: 0, endMillis: 0, speaker: "", text: "" }

/** Finds the fragments of shown segments by their positions. */
const findShown = (
  { readingsOf }: Work,
  { count, overlay }: { readonly count: number; readonly overlay: Overlay }
): { readonly count: number; readonly shownAt: (position: number) => Shown } => {
  if (!isDivided(overlay)) return { count, shownAt: (index) => [{ index }] }
  const all: Array<[Place, ...Array<Place>]> = []
  for (let index = 0; index < count; index++) {
    for (const place of readingsOf(index)) {
      if (place.edge === "joined") all.at(-1)?.push(place)
      else all.push([place])
    }
  }
  return { count: all.length, shownAt: (position) => all[position] ?? [{ index: position }] }
}

/** Corrects text and speaker. The first fragment of a shown segment has its whole text. */
const correctShown = (work: Work, shown: Shown, { speaker, text }: SegmentChange): void => {
  for (const [position, place] of shown.entries()) {
    const earlier = work.readingAt(place)
    const isFirst = position === 0
    const said = isFirst || text === null ? text : ""
    work.replace({
      ...earlier,
      text: text === undefined || said === undefined ? earlier.text : said,
      speaker: isFirst && speaker !== undefined ? speaker : earlier.speaker
    })
  }
}

/**
 * Joins a segment to the one before it, or returns the rule that the join breaks. Within a
 * recognised segment, this undoes the split between them.
 */
const joinBefore = (work: Work, place: Place): string | undefined => {
  const readings = work.readingsOf(place.index)
  const position = readings.findIndex(({ at }) => at === place.at)
  const [before, reading] = [readings[position - 1], work.readingAt(place)]
  if (before === undefined) {
    work.replace({ ...reading, edge: "joined" })
    return undefined
  }
  const isRecognised = before.text === null && reading.text === null
  const [one, other] = [work.contentOf(before).segment, work.contentOf(reading).segment]
  const text = isRecognised ? null : joinSegments(one, other, work.language).text
  if (text !== null && text.length > segmentLengthMax) {
    return `must not make a text of more than ${segmentLengthMax} characters`
  }
  work.put(place.index, readings.toSpliced(position - 1, 2, { ...before, text }))
  return undefined
}

/** A fragment of a shown segment, and where its text begins in that of the segment. */
interface Content {
  readonly place: Place
  readonly recognised: string
  readonly segment: Segment
  readonly from: number
}

/** Returns the text of a shown segment, and its fragments that are not blank. */
const readShown = (work: Work, shown: Shown) => {
  let whole = nothing
  const contents = shown.map((place): Content => {
    const { recognised, segment } = work.contentOf(place)
    whole = joinSegments(whole, segment, work.language)
    return { place, recognised, segment, from: whole.text.length - segment.text.length }
  })
  return { text: whole.text, contents: contents.filter(({ segment }) => !isBlank(segment.text)) }
}

const isBlank = (text: string): boolean => text.trim() === ""

/** Splits a segment, or returns the rule that the split breaks. */
const splitShown = (
  work: Work,
  shown: Shown,
  { at, speaker }: NonNullable<SegmentChange["split"]>
): string | undefined => {
  const { contents, text } = readShown(work, shown)
  if (isBlank(text.slice(0, at)) || isBlank(text.slice(at))) return "must leave text on both sides"
  if (/^[\uDC00-\uDFFF]/.test(text.slice(at))) return "must not be within a character"
  const last = contents.findLastIndex(({ from }) => from <= at)
  const content = contents[last]
  if (content === undefined) return undefined
  const said = content.segment.text
  const before = said.slice(0, at - content.from)
  const after = said.slice(at - content.from)
  if (isBlank(before) || isBlank(after)) {
    // The split undoes a join, after which the segment has its own speaker again.
    const { place } = (isBlank(before) ? content : contents[last + 1]) ?? content
    const { edge: _, ...reading } = work.readingAt(place)
    work.replace(speaker === undefined ? reading : { ...reading, speaker })
    return undefined
  }
  const spoken = work.readingAt(shown[0]).speaker ?? contents[0]?.segment.speaker ?? null
  const kept = spoken === content.segment.speaker ? null : spoken
  return divide(work, content, { before, after, speaker: speaker === undefined ? kept : speaker })
}

/** Divides the text of a fragment, or returns why this is impossible. */
const divide = (
  work: Work,
  { place: { at: from = 0, index }, recognised }: Content,
  parts: { readonly before: string; readonly after: string; readonly speaker: string | null }
): string | undefined => {
  const { after, before, speaker } = parts
  const readings = work.readingsOf(index)
  const position = readings.findIndex(({ at = 0 }) => at === from)
  const reading = readings[position]
  const isRecognised = reading === undefined || reading.text === null
  const length = isRecognised
    ? before.length + after.search(/\S/)
    : findStart(recognised, before.length / (before.length + after.length))
  if (reading === undefined || length === undefined) {
    return "must divide a segment with more than one recognised character"
  }
  const [first, second] = isRecognised ? [null, null] : [before.trimEnd(), after.trimStart()]
  const added: SegmentReading = { index, at: from + length, text: second, speaker, edge: "split" }
  work.put(index, readings.toSpliced(position, 1, { ...reading, text: first }, added))
  return undefined
}

/**
 * Finds where a corrected text is divided in the recognised text: at the word, otherwise at the
 * character, that begins nearest to a share of its length.
 */
const findStart = (recognised: string, share: number): number | undefined => {
  const words = [...recognised.matchAll(/(?<=\s)\S/gu)]
  const starts = words.length > 0 ? words : [...recognised.matchAll(/(?!^)./gsu)]
  const wanted = recognised.length * share
  const distanceOf = (start: number) => Math.abs(start - wanted)
  return starts
    .map(({ index }) => index)
    .reduce<number | undefined>(
      (best, start) => (best === undefined || distanceOf(start) < distanceOf(best) ? start : best),
      undefined
    )
}
