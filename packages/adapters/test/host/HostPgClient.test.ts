/** Runs selected contract cases over a host's `PgClient`. */
import { PgClient } from "@effect/sql-pg"
import { layer } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Layer, String as Text } from "effect"
import { advance, emptied } from "../postgres/TemporarySchema.ts"

const overPgClient = emptied(({ url }) =>
  layer().pipe(
    // The host's transforms must not affect the stores' rows.
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
