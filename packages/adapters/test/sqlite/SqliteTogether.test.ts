import { onSqlite } from "../concurrency/Members.ts"
import { staysLinear } from "../concurrency/StoresTogether.ts"

staysLinear(onSqlite)
