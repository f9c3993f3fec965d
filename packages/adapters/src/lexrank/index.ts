/** The `Summarizer` that needs nothing else: extractive, by LexRank. */
export { layer } from "./LexRankSummarizer.ts"
