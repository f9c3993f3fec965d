/** An extractive `Summarizer` that uses LexRank and has no dependencies. */
export * from "./LexRankSummarizer.ts"
