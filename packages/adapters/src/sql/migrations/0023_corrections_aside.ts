/** Corrections that are set aside to be deleted are found at once, however many there are. */
import { index, type Step } from "../migration/Migration.ts"

/** An older program sets none aside. */
export const steps: ReadonlyArray<Step> = [
  index("verbatim_corrections_aside", (sql) => sql`verbatim_corrections (job_id) WHERE ordinal < 0`)
]
