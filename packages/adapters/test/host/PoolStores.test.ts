/** The stores over a pool of `pg`, which the host has opened: its driver reads values otherwise. */
import { PoolClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { StoreContracts } from "@verbatim/testkit/contracts"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { advance, newClock, oneClient } from "../postgres/TemporarySchema.ts"

/** Beside the shared statements of the stores, a case asks for many things at once. */
const sessionsMax = 10

const onPool = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* newClock
    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () => new pg.Pool({ connectionString: Redacted.value(config.url), max: sessionsMax })
      ),
      (opened) => Effect.promise(() => opened.end())
    )
    return Layer.merge(Layer.provide(stores(), PoolClient.layer(pool)), oneClient(config))
  })
)

StoreContracts.suite("a pool of pg", onPool, { advance })
