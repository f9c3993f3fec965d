/**
 * Children of this process, with limits.
 */
export * as Command from "./Command.ts"
