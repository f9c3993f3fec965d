/** Options for running many of a test's effects concurrently. */
export const atOnce = { concurrency: "unbounded" } as const
