/** Compares recognised timestamps and speakers with the known ones. */
import { alignWords } from "@verbatim/testkit/samples"

/** A time range in a recording. */
interface Range {
  readonly startMillis: number
  readonly endMillis: number
}

/** A word and its time range, which is null if unknown. */
export interface TimedWord {
  readonly text: string
  readonly range: Range | null
}

/** A range of speech by one speaker. */
export interface Turn extends Range {
  readonly speaker: string
}

/** Returns a range for each word that `alignWords` finds in the given words. */
const rangesOf = (words: ReadonlyArray<TimedWord>) =>
  words.flatMap(({ range, text }) => alignWords(text, "").map(() => range))

const join = (words: ReadonlyArray<TimedWord>): string => words.map(({ text }) => text).join(" ")

/**
 * Returns the errors in milliseconds in each correctly recognised word's start and end, if both
 * times are known.
 */
export const wordTimeErrors = (
  known: ReadonlyArray<TimedWord>,
  heard: ReadonlyArray<TimedWord>
): ReadonlyArray<number> => {
  const [knownRanges, heardRanges] = [rangesOf(known).values(), rangesOf(heard).values()]
  return alignWords(join(known), join(heard)).flatMap(([spoken, recognised]) => {
    const one = spoken === null ? null : knownRanges.next().value
    const other = recognised === null ? null : heardRanges.next().value
    if (spoken !== recognised || !one || !other) return []
    return [
      Math.abs(one.startMillis - other.startMillis),
      Math.abs(one.endMillis - other.endMillis)
    ]
  })
}

/** A span during which the same speakers speak. */
interface Span {
  readonly millis: number
  readonly known: ReadonlySet<string>
  readonly found: ReadonlySet<string>
}

const spansOf = (known: ReadonlyArray<Turn>, found: ReadonlyArray<Turn>): ReadonlyArray<Span> => {
  const times = [...known, ...found].flatMap(({ endMillis, startMillis }) => [
    startMillis,
    endMillis
  ])
  const bounds = [...new Set(times)].sort((one, other) => one - other)
  const speakersAt = (turns: ReadonlyArray<Turn>, at: number) => {
    const current = turns.filter((turn) => turn.startMillis <= at && at < turn.endMillis)
    return new Set(current.map(({ speaker }) => speaker))
  }
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? to
    return { millis: to - from, known: speakersAt(known, from), found: speakersAt(found, from) }
  })
}

const sum = (spans: ReadonlyArray<Span>, weigh: (span: Span) => number): number =>
  spans.reduce((total, span) => total + span.millis * weigh(span), 0)

const speakersOf = (turns: ReadonlyArray<Turn>): ReadonlyArray<string> => [
  ...new Set(turns.map(({ speaker }) => speaker))
]

/** Returns the longest matching time over all mappings of found speakers to known speakers. */
const agreedMillis = (shared: ReadonlyArray<ReadonlyArray<number>>): number => {
  /**
   * The longest matching time for each set of assigned known speakers, with one bit per speaker.
   */
  let best = new Map([[0, 0]])
  for (const row of shared) {
    const next = new Map(best)
    for (const [taken, millis] of best) {
      for (const [known, share] of row.entries()) {
        const bit = 1 << known
        if (share === 0 || (taken & bit) !== 0) continue
        next.set(taken | bit, Math.max(next.get(taken | bit) ?? 0, millis + share))
      }
    }
    best = next
  }
  return Math.max(...best.values())
}

/**
 * Returns whether the number of speakers found is correct, and the terms of the diarization error
 * rate, `wrongMillis / knownMillis`. Speech is wrong if it was missed, invented, or assigned to a
 * wrong speaker by the best mapping of speakers. Without a collar, each turn counts to the
 * millisecond. At most 30 known speakers are supported.
 */
export const diarizationError = (known: ReadonlyArray<Turn>, found: ReadonlyArray<Turn>) => {
  const spans = spansOf(known, found)
  const [knownSpeakers, foundSpeakers] = [speakersOf(known), speakersOf(found)]
  const shared = foundSpeakers.map((one) =>
    knownSpeakers.map((other) =>
      sum(spans, (span) => Number(span.found.has(one) && span.known.has(other)))
    )
  )
  const spoken = sum(spans, (span) => Math.max(span.known.size, span.found.size))
  return {
    isCountRight: foundSpeakers.length === knownSpeakers.length,
    knownMillis: sum(spans, (span) => span.known.size),
    wrongMillis: spoken - agreedMillis(shared)
  }
}
