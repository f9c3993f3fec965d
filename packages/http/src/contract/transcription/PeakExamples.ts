/** Examples of peaks for the description of the API. */
import { makeRefusals } from "./RefusalExamples.ts"

/** Two seconds of a tone that grows. */
export const peaks = { duration: 2, interval: 0.5, peaks: [-8, 8, -21, 22, -60, 58, -97, 96] }

/** Why there are none. */
export const absent = {
  404: makeRefusals({
    unknown: "Request not found",
    missing: "No peaks are stored for this job"
  })
}
