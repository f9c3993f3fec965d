/** Deletions in a file: kept for a while, and never forgotten in silence. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { forgetsDeletionsAloud, forgetsDeletionsToCome } from "../sql/Deletions.ts"
import { withClient } from "./TemporaryDatabase.ts"

describe("the feed of a file", () => {
  it.effect("forgets old deletions, and says so to whoever has not heard of them", () =>
    forgetsDeletionsAloud.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("forgets deletions that a clock which was far ahead would keep for years", () =>
    forgetsDeletionsToCome.pipe(Effect.provide(withClient(":memory:")))
  )
})
