/**
 * The three shapes of a summary (specification, summary types), written from ranked sentences.
 */
import { clock } from "@verbatim/core/rendering"
import type { SummaryType } from "@verbatim/core/summary"
import { Effect } from "effect"
import { headings } from "./Headings.ts"
import { keywords } from "./Keywords.ts"
import { capitalise, comma, paragraph } from "./Prose.ts"
import type { Ranked, Stretch } from "./Ranked.ts"
import { select, selectEach, whole } from "./Selection.ts"
import { divide } from "./Topics.ts"

/** From this many sentences on, a short summary has a third sentence besides its usual two. */
const briefThirdFrom = 8
const briefLeast = 2

/** From this many sentences on, a medium summary has a second paragraph, and a third. */
const mediumSecondFrom = 12
const mediumThirdFrom = 30
const mediumSentences = 3
const mediumLeast = 2

const digestSentences = 2

/** Two for the beginning, two for the middle, two for the end. */
const executiveParts = 3
const executiveSentences = 2

/** A section for about this much of the recording, unless it has too few sentences. */
const sectionMillis = 3 * 60_000
const sectionMin = 2
const sectionMax = 10
const sectionUnitMin = 4
const sectionSentences = 4
const sectionKeywords = 3

/** The summary of a type. */
export const write = (type: SummaryType, ranked: Ranked): Effect.Effect<string> =>
  type === "long" ? long(ranked) : Effect.sync(() => shapes[type](ranked))

const prose = (ranked: Ranked, chosen: ReadonlyArray<number>): string =>
  paragraph(
    chosen.map((unit) => ranked.units[unit]?.text ?? ""),
    ranked.language
  )

const brief = (ranked: Ranked): string => {
  const count = ranked.units.length < briefThirdFrom ? 2 : 3
  return prose(ranked, select(ranked, { within: whole(ranked), count, least: briefLeast }))
}

const medium = (ranked: Ranked): string => {
  const { length } = ranked.units
  const paragraphs = length < mediumSecondFrom ? 1 : length < mediumThirdFrom ? 2 : 3
  const parts = divide(ranked, paragraphs)
  return selectEach(ranked, { parts, count: mediumSentences, least: mediumLeast })
    .filter((chosen) => chosen.length > 0)
    .map((chosen) => prose(ranked, chosen))
    .join("\n\n")
}

const long = Effect.fnUntraced(function* (ranked: Ranked) {
  const [digestHeading, summaryHeading] = headings[ranked.language]
  const digest = select(ranked, { within: whole(ranked), count: digestSentences })
  // Something of every part, even when everything central was said in one.
  const summary = selectEach(ranked, {
    parts: divide(ranked, executiveParts),
    count: executiveSentences,
    except: new Set(digest)
  }).flat()
  const parts: Array<Part> = [
    [digestHeading, digest],
    // There are so few sentences that the digest holds them all.
    [summaryHeading, summary.length === 0 ? digest : summary]
  ]
  for (const { told, within } of sections(ranked, new Set([...digest, ...summary]))) {
    yield* Effect.yieldNow
    parts.push([`${parts.length - 1}. ${headingOf(ranked, within)}`, told])
  }
  return parts.map(([heading, chosen]) => `## ${heading}\n\n${prose(ranked, chosen)}`).join("\n\n")
})

type Part = readonly [heading: string, units: ReadonlyArray<number>]

interface Section {
  readonly within: Stretch
  readonly told: ReadonlyArray<number>
}

/** The recording in its order. A part that only repeats others has no section. */
const sections = (ranked: Ranked, taken: ReadonlySet<number>): ReadonlyArray<Section> => {
  const { units } = ranked
  const millis = (units.at(-1)?.endMillis ?? 0) - (units.at(0)?.startMillis ?? 0)
  const byTime = Math.min(Math.max(Math.round(millis / sectionMillis), sectionMin), sectionMax)
  const count = Math.max(1, Math.min(byTime, Math.floor(units.length / sectionUnitMin)))
  const parts = divide(ranked, count)
  const found = selectEach(ranked, { parts, count: sectionSentences, except: taken })
  return parts
    .map((within, index) => {
      const fresh = found[index] ?? []
      // A part that has nothing new left repeats its best sentence.
      return { within, told: fresh.length > 0 ? fresh : select(ranked, { within, count: 1 }) }
    })
    .filter(({ told }) => told.length > 0)
}

const headingOf = (ranked: Ranked, within: Stretch): string => {
  const from = ranked.units[within.from]?.startMillis ?? 0
  const to = ranked.units[within.to - 1]?.endMillis ?? from
  const times = `${clock(from)}–${clock(to)}`
  const telling = keywords(ranked, { within, count: sectionKeywords })
  if (telling.length === 0) return times
  return `${capitalise(telling.join(comma(ranked.language)), ranked.language)} (${times})`
}

const shapes: Readonly<Record<Exclude<SummaryType, "long">, (ranked: Ranked) => string>> = {
  brief,
  medium
}
