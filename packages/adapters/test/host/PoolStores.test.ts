/** Tests the stores over a host's `pg` pool, whose driver decodes values differently. */
import { PoolClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { advance, emptied } from "../postgres/TemporarySchema.ts"

/**
 * Sessions in the pool: one case makes many concurrent requests next to the stores' batched
 * statements.
 */
const sessionsMax = 10

const onPool = emptied(({ url }) =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(
          () => new pg.Pool({ connectionString: url && Redacted.value(url), max: sessionsMax })
        ),
        (opened) => Effect.promise(() => opened.end())
      ),
      (pool) => Layer.provide(stores(), PoolClient.layer(pool))
    )
  )
)

StoreContracts.suite("a pool of pg", onPool, { advance, only: clientCases })
