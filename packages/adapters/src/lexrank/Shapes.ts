/**
 * The three shapes of a summary (specification, summary types), written from ranked sentences.
 */
import { clock } from "@verbatim/core/rendering/Timecode"
import type { SummaryType } from "@verbatim/core/summary/SummaryType"
import { headings } from "./Headings.ts"
import { capitalised, paragraph } from "./Prose.ts"
import { divide, keywords, type Ranked, type Stretch, select, whole } from "./Selection.ts"

/** From as many sentences on, a short summary has one more than the two it always has. */
const briefThirdFrom = 8

/** From as many sentences on, a medium summary has a second paragraph, and a third. */
const mediumSecondFrom = 12
const mediumThirdFrom = 30
const mediumSentences = 3

const digestSentences = 2
const executiveSentences = 6

/** A section for about so much of the recording, unless it has too few sentences. */
const sectionMillis = 8 * 60_000
const sectionMin = 2
const sectionMax = 10
const sectionUnitMin = 4
const sectionSentences = 5
const sectionKeywords = 3

/** The summary of a type. */
export const write = (type: SummaryType, ranked: Ranked): string => shapes[type](ranked)

const prose = (ranked: Ranked, chosen: ReadonlyArray<number>): string =>
  paragraph(
    chosen.map((unit) => ranked.units[unit]?.text ?? ""),
    ranked.language
  )

const brief = (ranked: Ranked): string => {
  const count = ranked.units.length < briefThirdFrom ? 2 : 3
  return prose(ranked, select(ranked, { within: whole(ranked), count }))
}

const medium = (ranked: Ranked): string => {
  const { length } = ranked.units
  const paragraphs = length < mediumSecondFrom ? 1 : length < mediumThirdFrom ? 2 : 3
  return divide(ranked, paragraphs)
    .map((within) => prose(ranked, select(ranked, { within, count: mediumSentences })))
    .join("\n\n")
}

const long = (ranked: Ranked): string => {
  const [digestHeading, summaryHeading] = headings[ranked.language]
  const within = whole(ranked)
  const digest = select(ranked, { within, count: digestSentences })
  const others = select(ranked, { within, count: executiveSentences, except: new Set(digest) })
  return [
    [digestHeading, digest] as const,
    // So few sentences that the digest holds them all.
    [summaryHeading, others.length === 0 ? digest : others] as const,
    ...sections(ranked)
  ]
    .map(([heading, chosen]) => `## ${heading}\n\n${prose(ranked, chosen)}`)
    .join("\n\n")
}

/** The recording in its order, each part under its own words and times. */
const sections = (ranked: Ranked): ReadonlyArray<readonly [string, ReadonlyArray<number>]> => {
  const { units } = ranked
  const millis = (units.at(-1)?.endMillis ?? 0) - (units.at(0)?.startMillis ?? 0)
  const byTime = Math.min(Math.max(Math.round(millis / sectionMillis), sectionMin), sectionMax)
  const count = Math.max(1, Math.min(byTime, Math.floor(units.length / sectionUnitMin)))
  return divide(ranked, count).map(
    (within, index) =>
      [
        `${index + 1}. ${headingOf(ranked, within)}`,
        select(ranked, { within, count: sectionSentences })
      ] as const
  )
}

const headingOf = (ranked: Ranked, within: Stretch): string => {
  const from = ranked.units[within.from]?.startMillis ?? 0
  const to = ranked.units[within.to - 1]?.endMillis ?? from
  const times = `${clock(from)}–${clock(to)}`
  const telling = keywords(ranked, { within, count: sectionKeywords })
  if (telling.length === 0) return times
  return `${capitalised(telling.join(", "), ranked.language)} (${times})`
}

const shapes: Readonly<Record<SummaryType, (ranked: Ranked) => string>> = { brief, medium, long }
