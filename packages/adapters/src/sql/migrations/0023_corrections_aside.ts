/** Corrections that are set aside to be deleted are found at once, however many others there are. */
import { index, type Step } from "../migration/Migration.ts"

/** An older program sets none aside. */
export const steps: ReadonlyArray<Step> = [
  index("corrections_aside", (sql) => sql`corrections (job_id) WHERE ordinal < 0`)
]
