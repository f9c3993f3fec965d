/** Kysely: `database.transaction().execute((transaction) => …)`. */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { CompiledQuery, type Transaction } from "kysely"

export const connectionOf = <Tables>(transaction: Transaction<Tables>): HostConnection => ({
  query: (text, values) => transaction.executeQuery<object>(CompiledQuery.raw(text, values))
})
