/**
 * Applies requested changes to a transcript's segments. A request numbers the segments as they are
 * displayed, after earlier splits and joins.
 */
import { Result } from "effect"
import { graphemes } from "../rendering/Tokens.ts"
import type { Segment, Transcript } from "../transcription/Transcript.ts"
import { type Judged, refuse, type SegmentChange } from "./CorrectionInput.ts"
import { segmentLengthMax, type TranscriptOutline } from "./CorrectionLimits.ts"
import { cutSegment, joinTexts } from "./Fragments.ts"
import { diffOverlays, isCorrected, type Overlay, type SegmentReading } from "./Overlay.ts"

/** The transcript and its corrections before the changes. */
interface Corrected {
  readonly outline: TranscriptOutline
  readonly overlay: Overlay
  /** The recognised transcript, which is needed only for splits and joins. */
  readonly transcript?: Transcript
}

/** Whether any of the changes splits or joins segments. */
export const isDividing = (changes: ReadonlyArray<SegmentChange>): boolean =>
  changes.some(({ join, split }) => join !== undefined || split !== undefined)

/** Whether a transcript has split or joined segments, which shift the segments after them. */
export const isDivided = ({ segments }: Overlay): boolean =>
  segments.some(({ edge }) => edge !== undefined)

/** Returns the change that adds these segment corrections to the earlier ones. */
export const toReadings = (
  { outline, overlay, transcript }: Corrected,
  changes: ReadonlyArray<SegmentChange>
): Judged<Overlay> => {
  const isSparse = !isDividing(changes) && !isDivided(overlay)
  const shown = isSparse ? toSparse(overlay, outline.segments) : toShown(overlay, outline.segments)
  const beyond = changes.findIndex(({ index }) => index >= shown.length)
  if (beyond !== -1) {
    const rule = `must be below ${shown.length}, the number of segments`
    return refuse(`segments[${beyond}].index`, rule)
  }
  for (const change of changes) {
    const { index } = change
    shown[index] = correct(shown[index] ?? [toRecognised(index)], change)
  }
  // The changes are applied from the last segment to the first, because a split or join shifts the
  // segments after it.
  const ordered = [...changes.entries()].sort(([, one], [, other]) => other.index - one.index)
  for (const [position, { index, join, split }] of ordered) {
    const work = { shown, index, transcript }
    const broken = join === undefined ? splitAt(work, split) : joinBefore(work)
    const field = join === undefined ? "split.at" : "join"
    if (broken !== undefined) return refuse(`segments[${position}].${field}`, broken)
  }
  const segments = shown.flatMap(withEdges).filter(isCorrected)
  return Result.succeed(diffOverlays(overlay, { ...overlay, segments }))
}

/**
 * The corrections of a displayed segment's fragments. Every fragment except the first is a whole
 * segment, or the start of one.
 */
type Shown = ReadonlyArray<SegmentReading>

/** A displayed segment that is being split or joined. */
interface Work {
  readonly shown: Array<Shown>
  readonly index: number
  readonly transcript: Transcript | undefined
}

const toRecognised = (index: number): SegmentReading => ({ index, text: null, speaker: null })

/**
 * Returns the corrections by the index of their segment, if no segment is split or joined. For ten
 * hours of speech, listing all segments takes about 0.1 s.
 */
const toSparse = ({ segments }: Overlay, count: number): Array<Shown> => {
  const shown = new Array<Shown>(count)
  for (const reading of segments) shown[reading.index] = [reading]
  return shown
}

/** Returns the corrections of all displayed segments. */
const toShown = ({ segments }: Overlay, count: number): Array<Shown> => {
  const corrected = Map.groupBy(segments, ({ index }) => index)
  const shown: Array<Array<SegmentReading>> = []
  for (let index = 0; index < count; index++) {
    const found = corrected.get(index) ?? []
    const isWhole = found[0] !== undefined && found[0].at === undefined
    if (!isWhole) shown.push([toRecognised(index)])
    for (const { edge, ...reading } of found) {
      if (edge === "joined") shown.at(-1)?.push(reading)
      else shown.push([reading])
    }
  }
  return shown
}

const withEdges = (shown: Shown): ReadonlyArray<SegmentReading> =>
  shown.map((reading, position) => {
    if (position > 0) return { ...reading, edge: "joined" }
    return reading.at === undefined ? reading : { ...reading, edge: "split" }
  })

/** Corrects the text and speaker of a displayed segment. The first fragment gets the whole text. */
const correct = (shown: Shown, { speaker, text }: SegmentChange): Shown =>
  shown.map((reading, position) => {
    const isFirst = position === 0
    const said = isFirst || text === null ? text : ""
    return {
      ...reading,
      text: text === undefined || said === undefined ? reading.text : said,
      speaker: isFirst && speaker !== undefined ? speaker : reading.speaker
    }
  })

/** A fragment with its corrected text. */
interface Content extends Segment {
  readonly recognised: string
}

const nothing: Segment = { startMillis: 0, endMillis: 0, speaker: "", text: "" }

/** Returns the fragments of a displayed segment. */
const contentsOf = ({ index, shown, transcript }: Work): ReadonlyArray<Content> => {
  const following = shown[index + 1]?.[0]
  return (shown[index] ?? []).map((reading, position, all) => {
    const segment = transcript?.segments[reading.index] ?? nothing
    const to = following?.index === reading.index ? following.at : undefined
    const fragment = cutSegment(segment, { from: reading.at, to, isSaid: reading.text === null })
    // An empty text leaves a space between its neighbours, as in `makeCorrector`.
    const isParted = fragment.hasSpaceBefore === false && isBlank(all[position - 1]?.text ?? "said")
    const shape = isParted ? { ...fragment, hasSpaceBefore: true } : fragment
    return { ...shape, recognised: fragment.text, text: reading.text ?? fragment.text }
  })
}

/**
 * Joins a segment to the one before it, or returns the rule that the join breaks. Two fragments of
 * the same segment become a single fragment, which undoes the split between them.
 */
const joinBefore = ({ index, shown, transcript }: Work): string | undefined => {
  const [before, joined] = [shown[index - 1], shown[index]]
  const [one, other] = [before?.at(-1), joined?.[0]]
  if (before === undefined || joined === undefined || !one || !other) {
    return "needs a segment before it"
  }
  if (other.at === undefined) {
    shown.splice(index - 1, 2, [...before, ...joined])
    return undefined
  }
  const said = contentsOf({ index: index - 1, shown, transcript }).at(-1) ?? nothing
  const continued = contentsOf({ index, shown, transcript })[0] ?? nothing
  const isRecognised = one.text === null && other.text === null
  const text = isRecognised ? null : joinTexts([said, continued], transcript?.language).text
  if (text !== null && text.length > segmentLengthMax) {
    return `must not make a text of more than ${segmentLengthMax} characters`
  }
  shown.splice(index - 1, 2, [...before.slice(0, -1), { ...one, text }, ...joined.slice(1)])
  return undefined
}

const isBlank = (text: string): boolean => text.trim() === ""

/** Splits a segment, or returns the rule that the split breaks. */
const splitAt = (work: Work, split: SegmentChange["split"]): string | undefined => {
  if (split === undefined) return undefined
  const contents = contentsOf(work)
  const { starts, text } = joinTexts(contents, work.transcript?.language)
  let [last, from] = [0, 0]
  for (const [position, content] of contents.entries()) {
    const start = starts[position] ?? 0
    if (start <= split.at && !isBlank(content.text)) [last, from] = [position, start]
  }
  if (isBlank(text.slice(0, split.at)) || isBlank(text.slice(split.at))) {
    return "must leave text on both sides"
  }
  const at = split.at - from
  const character = graphemes.segment(contents[last]?.text ?? "").containing(at)
  if (character !== undefined && character.index !== at) return "must not be within a character"
  const fragments = work.shown[work.index] ?? []
  const divided = divide(fragments, { contents, last, at })
  if (divided === undefined) return "must divide more than one recognised character"
  const [before, [first, ...rest]] = divided
  if (first === undefined) return undefined
  const { speaker = first.speaker } = split
  work.shown.splice(work.index, 1, before, [{ ...first, speaker }, ...rest])
  return undefined
}

/**
 * Divides a list of fragments before, within or after the fragment `last`; undefined if that is
 * impossible.
 */
const divide = (
  fragments: Shown,
  place: { readonly contents: ReadonlyArray<Content>; readonly last: number; readonly at: number }
): readonly [Shown, Shown] | undefined => {
  const { at, contents, last } = place
  const [content, reading] = [contents[last], fragments[last]]
  if (content === undefined || reading === undefined) return undefined
  const [before, after] = [content.text.slice(0, at), content.text.slice(at)]
  // Splitting between two fragments undoes their join.
  if (isBlank(before)) return [fragments.slice(0, last), fragments.slice(last)]
  if (isBlank(after)) return [fragments.slice(0, last + 1), fragments.slice(last + 1)]
  const isSaid = reading.text === null
  const length = isSaid
    ? at + after.search(/\S/)
    : findStart(content.recognised, at / content.text.length)
  if (length === undefined) return undefined
  const spoken = fragments[0]?.speaker ?? contents[0]?.speaker ?? null
  const added: SegmentReading = {
    index: reading.index,
    at: (reading.at ?? 0) + length,
    text: isSaid ? null : after.trimStart(),
    speaker: spoken === content.speaker ? null : spoken
  }
  const first = { ...reading, text: isSaid ? null : before.trimEnd() }
  return [
    [...fragments.slice(0, last), first],
    [added, ...fragments.slice(last + 1)]
  ]
}

/**
 * Finds where to divide the recognised text of a corrected segment: at the next word, or else the
 * next character, after a given fraction of the text.
 */
const findStart = (recognised: string, share: number): number | undefined => {
  const words = [...recognised.matchAll(/(?<=\s)\S/gu)]
  const starts = words.length > 0 ? words : [...graphemes.segment(recognised)].slice(1)
  const next = starts.find(({ index }) => index >= recognised.length * share)
  return (next ?? starts.at(-1))?.index
}
