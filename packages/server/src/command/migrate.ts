/** `verbatim migrate`: migrates the database, or prints the SQL for review. */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import type { StoredLocation } from "../DatabaseLocation.ts"
import * as Stores from "../Stores.ts"
import { makeSwitch } from "./flags.ts"
import { explained, jsonFlag, print, readStored } from "./operation.ts"

const flags = {
  print: makeSwitch("print", "Print the SQL of missing migrations instead of running it"),
  json: jsonFlag
}

const upToDate = "All migrations are applied."

/** The command. */
export const migrate = Command.make(
  "migrate",
  flags,
  Effect.fn(function* ({ json, print: isPrinted }) {
    const { database } = yield* readStored
    const location = database as StoredLocation
    const checks = yield* Effect.promise(() => import("../doctor/StoreCheck.ts"))
    if (isPrinted) {
      const statements = yield* checks.printPending(location)
      return yield* print(json, { statements }, () => statements.join("\n\n") || `-- ${upToDate}`)
    }
    const applied = yield* checks.findPending(location)
    yield* Effect.scoped(Layer.build(Stores.layer(location)))
    yield* print(json, { applied }, () =>
      applied.length === 0 ? upToDate : `Applied: ${applied.join(", ")}.`
    )
  }, explained)
).pipe(Command.withDescription("Migrate the database, or print the SQL for review"))
