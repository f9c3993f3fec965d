import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onSqlite } from "../concurrency/Members.ts"

staysLinear(onSqlite)
