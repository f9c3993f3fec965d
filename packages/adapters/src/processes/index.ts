/** Runs child processes with limits on output and time. */
export * as Command from "./Command.ts"
