/** The chosen contract cases over the `PgClient` that a host made by itself. */
import { PgClient } from "@effect/sql-pg"
import { layer } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Layer, String as Text } from "effect"
import { advance, emptied } from "../postgres/TemporarySchema.ts"

const overPgClient = emptied(({ url }) =>
  layer().pipe(
    // A host's own transforms are not for our rows.
    Layer.provide(
      PgClient.layer({
        url,
        transformResultNames: Text.snakeToCamel,
        transformQueryNames: Text.camelToSnake
      })
    )
  )
)

StoreContracts.suite("a host's own PgClient", overPgClient, { advance, only: clientCases })
