/** The parameter of paths that names a job. */
import { Schema } from "effect"

/** The id of a job. The service judges it. */
export const jobParameters = {
  id: Schema.String.annotate({
    "x-schema": { type: "string", format: "uuid", description: "The id of the job." }
  })
}
