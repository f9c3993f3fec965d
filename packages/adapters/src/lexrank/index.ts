/**
 * The `Summarizer` that needs nothing: extractive, by LexRank.
 */
export * as LexRank from "./LexRank.ts"
export { layer } from "./LexRankSummarizer.ts"
