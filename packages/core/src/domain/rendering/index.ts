/** Renders transcripts in all output formats, and finds words in them. */

export * as Paragraphs from "./Paragraphs.ts"
export { ParagraphJson } from "./Paragraphs.ts"
export { formOf, output, PlainJson, plainText, type Rendering, render } from "./Rendering.ts"
export * from "./SearchText.ts"
export { queryWords } from "./SearchWords.ts"
export * as Sentences from "./Sentences.ts"
export { join, type Sentence, sentences } from "./Sentences.ts"
export { clock } from "./Timecode.ts"
export { WordJson } from "./WordRendering.ts"
