/** Options for running many effects of a test concurrently. */
export const atOnce = { concurrency: "unbounded" } as const
