/**
 * The `Summarizer` that needs nothing: extractive, by LexRank.
 */
export { layer } from "./LexRankSummarizer.ts"
