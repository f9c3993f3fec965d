import { onPostgres } from "../concurrency/Members.ts"
import { staysLinear } from "../concurrency/StoresTogether.ts"

staysLinear(onPostgres)
