/** Runs the concurrency check on Postgres. */
import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onPostgres } from "../concurrency/Members.ts"

staysLinear(onPostgres)
