/** Child processes with limits. */
export * as Command from "./Command.ts"
