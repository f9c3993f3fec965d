/**
 * The renderings of a transcript.
 */

export * as ParagraphRendering from "./ParagraphRendering.ts"
export * as Paragraphs from "./Paragraphs.ts"
export * as PlainRendering from "./PlainRendering.ts"
export { formOf, output, render } from "./Rendering.ts"
export {
  findMoments,
  type Match,
  type Moment,
  makeSearchText,
  type SearchText,
  searchedLengthMax,
  toMatch,
  toSearchText
} from "./SearchText.ts"
export { queryWords } from "./SearchWords.ts"
export * as Sentences from "./Sentences.ts"
export { join, type Sentence, sentences } from "./Sentences.ts"
export { clock } from "./Timecode.ts"
export * as WordRendering from "./WordRendering.ts"
