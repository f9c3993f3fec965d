/** How tests let many effects run beside each other. */
export const atOnce = { concurrency: "unbounded" } as const
