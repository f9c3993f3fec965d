/**
 * The identity of a transcription job, shared by the machines that make it up.
 */
import { Schema } from "effect"

/** A UUID, version 7: jobs sort by the instant they were accepted. */
export const JobId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type
