/** Deletions on Postgres: kept for a while, and never forgotten in silence. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { forgetsDeletionsAloud, forgetsDeletionsToCome } from "../sql/Deletions.ts"
import { onServer } from "./TemporarySchema.ts"

describe("the feed of a server", () => {
  it.live("forgets old deletions, and says so to whoever has not heard of them", () =>
    forgetsDeletionsAloud.pipe(Effect.provide(onServer))
  )

  it.live("forgets deletions that a clock which was far ahead would keep for years", () =>
    forgetsDeletionsToCome.pipe(Effect.provide(onServer))
  )
})
