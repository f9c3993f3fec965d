/** The `Summarizer` that needs nothing else: extractive, by LexRank. */
export * from "./LexRankSummarizer.ts"
