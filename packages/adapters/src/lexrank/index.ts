/** A `Summarizer` without dependencies: extractive, with LexRank. */
export * from "./LexRankSummarizer.ts"
