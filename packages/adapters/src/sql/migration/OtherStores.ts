/**
 * Stores of ours under other names in the same database. Whoever changes the names of a store makes
 * a new and empty one, and would miss what the first one has.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { traitsOf } from "../names/ClientTraits.ts"
import type { OtherStore, SchemaStatements } from "./SchemaStatements.ts"

/** What all names of the table end with that remembers migrations. */
export const recordsName = "verbatim_migrations"

/** A table that every store has had from its beginning, to tell a store by besides. */
export const partnerName = "jobs"

/** Most stores that are named: a database of many tenants has hundreds. */
export const othersMax = 3

const describe = ({ prefix, schema }: OtherStore): string => {
  const named = prefix === "" ? "without a prefix" : `with the prefix ${prefix}`
  return schema === undefined ? named : `in schema ${schema} ${named}`
}

/** The warning, where there are others. */
const sentenceOf = (place: string, prefix: string, others: ReadonlyArray<OtherStore>): string => {
  const named = others.slice(0, othersMax).map(describe)
  const rest = others.length > othersMax ? [...named, "in further places"] : named
  const own = prefix === "" ? "without a prefix" : `with the prefix ${prefix}`
  return (
    `New and empty tables are made in ${place} ${own}, and the database has tables of Verbatim ` +
    `${rest.join(", ")}: if those are meant, start again with their names.`
  )
}

/** Warns of other stores, before the first table of a new one is made. */
export const tellOthers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  schema: SchemaStatements["Service"]
): Effect.fn.Return<void, SqlError.SqlError> {
  const others = yield* schema.findOthers(sql)
  if (others.length === 0) return
  const place = yield* schema.placeOf(sql)
  const { prefix } = traitsOf(sql).names
  yield* Effect.logWarning(sentenceOf(place, prefix, others))
})
