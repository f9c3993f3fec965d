/** The chosen contract cases over the `PgClient` that a host made by itself. */
import { PgClient } from "@effect/sql-pg"
import { layer } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Layer, Redacted, String as Text } from "effect"
import { advance, emptied } from "../postgres/TemporarySchema.ts"
import { check, plant, prefix } from "./HostTables.ts"

/** The schema of the clock of these tests, which the URL names. */
const schemaIn = (url: Redacted.Redacted) =>
  /search_path=(\w+)/.exec(decodeURIComponent(Redacted.value(url)))?.[1]

const overPgClient = emptied({
  prefix,
  plant,
  check,
  stores: ({ url }) =>
    // Beside the host's tables: its sessions find these without a schema, and ours by it.
    layer({ tablePrefix: prefix, schema: schemaIn(url) }).pipe(
      // A host's own transforms are not for our rows.
      Layer.provide(
        PgClient.layer({
          url,
          transformResultNames: Text.snakeToCamel,
          transformQueryNames: Text.camelToSnake
        })
      )
    )
})

StoreContracts.suite("a host's own PgClient", overPgClient, { advance, only: clientCases })
