/** The notice to the host at the end of a job. */
export * from "./Notice.ts"
