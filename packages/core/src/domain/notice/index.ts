/** The notice that a host gets of the end of a job. */
export * from "./Notice.ts"
