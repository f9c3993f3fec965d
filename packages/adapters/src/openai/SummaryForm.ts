/**
 * Checks whether a text has the paragraphs, sentences and headings of its summary type, and repairs
 * it by leaving something out. Pure.
 */
import { sentences } from "@verbatim/core/rendering"
import type { SummaryType } from "@verbatim/core/summary"
import { isSpaced, type Language } from "@verbatim/core/transcription"

/** The result of checking a summary's form. */
export interface FormCheck {
  /** The text in the right form, or undefined if the text cannot be repaired. */
  readonly text: string | undefined
  /** The mistake in the original text, if there is one. */
  readonly problem: string | undefined
}

/** The transcript's language and length. */
export interface Subject {
  readonly language: Language
  /** The number of sentences in the transcript. A single sentence cannot be summarised in two. */
  readonly sentenceCount: number
}

/** Minimum number of sentences (specification, summary types). */
const briefMin = 2
const briefMax = 3
const mediumMax = 3

/** Minimum number of headings: digest, executive summary, and at least one section. */
const longMin = 3

/** Thai has no marks at the end of sentences, so they cannot be counted. */
const uncountedLanguages: ReadonlySet<Language> = new Set<Language>(["th"])

const good = (text: string): FormCheck => ({ text, problem: undefined })

const sentencesOf = (text: string, language: Language): ReadonlyArray<string> =>
  sentences({
    durationMillis: 1,
    language,
    segments: [{ startMillis: 0, endMillis: 1, speaker: "speaker_0", text }]
  }).map((sentence) => sentence.text)

const paragraphsOf = (text: string): ReadonlyArray<string> =>
  text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "")

const brief = (text: string, { language, sentenceCount }: Subject): FormCheck => {
  const line = text.replace(/\s*\n\s*/g, isSpaced(language) ? " " : "")
  const all = sentencesOf(line, language)
  if (uncountedLanguages.has(language) || (all.length >= briefMin && all.length <= briefMax)) {
    return good(line)
  }
  if (all.length < briefMin && sentenceCount < briefMin) return good(line)
  const problem = `That has ${all.length} sentences, not ${briefMin} to ${briefMax}.`
  const kept = all.slice(0, briefMax).join(isSpaced(language) ? " " : "")
  return { problem, text: all.length > briefMax ? kept : undefined }
}

const medium = (text: string): FormCheck => {
  const all = paragraphsOf(text)
  if (all.length <= mediumMax) return good(text)
  const last = all.slice(mediumMax - 1).map((paragraph) => paragraph.replace(/\n/g, " "))
  return {
    problem: `That has ${all.length} paragraphs, not 1 to ${mediumMax}.`,
    text: [...all.slice(0, mediumMax - 1), last.join(" ")].join("\n\n")
  }
}

const long = (text: string): FormCheck => {
  const parts = text.split(/^#{1,6}[^\S\n]+/m).slice(1)
  const filled = parts.filter((part) => /\n\s*\S/.test(part))
  return filled.length >= longMin
    ? good(text)
    : { problem: `That has ${filled.length} parts under headings.`, text: undefined }
}

const formChecks: Readonly<Record<SummaryType, (text: string, subject: Subject) => FormCheck>> = {
  brief,
  medium,
  long
}

/** Checks whether a text is a summary of the given type. */
export const checkForm = (type: SummaryType, text: string, subject: Subject): FormCheck =>
  formChecks[type](text, subject)
