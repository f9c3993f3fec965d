/**
 * Finds the words used to compare sentences and to write headings: the meaningful words, each in a
 * form that most of its inflections share.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"
import { functionWords } from "./FunctionWords.ts"

/** A meaningful word, and its position in the text. */
export interface Term {
  /** The common form, shared by most inflections of the word. */
  readonly term: string
  readonly from: number
  readonly to: number
}

/**
 * Creates a word segmenter for a language. Use the same segmenter for all texts, because creating
 * one is expensive.
 */
export const makeSegmenter = (language: Language): Intl.Segmenter =>
  new Intl.Segmenter([language, "en"], { granularity: "word" })

/** Returns a function that finds the meaningful words in text, in order. */
export const makeTermFinder = (language: Language): ((text: string) => ReadonlyArray<Term>) => {
  const segmenter = makeSegmenter(language)
  const isFunction = functionWords(language)
  const termOf = isSpaced(language) ? makeStemmer(language) : (spelling: string) => spelling
  return (text) => {
    const found: Array<Term> = []
    for (const { index, isWordLike, segment } of segmenter.segment(text)) {
      if (isWordLike !== true || segment.length > letterMax) continue
      const spelling = segment.toLocaleLowerCase(language).replaceAll("’", "'")
      if (isFunction.has(spelling)) continue
      found.push({ term: termOf(spelling), from: index, to: index + segment.length })
    }
    return found
  }
}

/** Maximum number of letters in a word of any spoken language; a longer word is noise. */
const letterMax = 60

/**
 * Number of letters to compare in each word. The rest is mostly inflection; a prefix works nearly
 * as well as a stemmer.
 */
const stemLetters = 6

/** An article or pronoun that is attached to a word: `l'eau`, `dell'acqua`, `السوق`. */
const proclitics: ReadonlyMap<Language, RegExp> = new Map<Language, RegExp>([
  ["ar", /^(?:ال|وال|بال|لل)(?=\p{L}{3})/u],
  ["ca", /^\p{L}{1,2}'(?=\p{L}{3})/u],
  ["fr", /^\p{L}{1,2}'(?=\p{L}{3})/u],
  ["it", /^\p{L}{1,5}'(?=\p{L}{3})/u]
])

const makeStemmer = (language: Language): ((spelling: string) => string) => {
  const proclitic = proclitics.get(language)
  return (spelling) => {
    const bare = proclitic === undefined ? spelling : spelling.replace(proclitic, "")
    return bare.slice(0, stemLetters)
  }
}
