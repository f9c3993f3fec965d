/** Drizzle on `pg`: `database.transaction((transaction) => …)`. It numbers parameters itself. */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { type SQL, sql } from "drizzle-orm"

/** What a transaction of Drizzle has. */
interface Transaction {
  readonly execute: (query: SQL) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

const toQuery = (text: string, values: Array<unknown>): SQL =>
  sql.join(
    text
      .split(/\$(\d+)/)
      .map((part, place) => (place % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`))
  )

export const connectionOf = (transaction: Transaction): HostConnection => ({
  query: (text, values) => transaction.execute(toQuery(text, values))
})
