/** The stores over a pool of `pg`, which the host has opened: its driver reads values otherwise. */
import { PoolClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { clientCases, StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { advance, emptied } from "../postgres/TemporarySchema.ts"

/** Beside the shared statements of the stores, a case asks for many things at once. */
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
