/** Corrections that are set aside, on a server. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  sweepsBesideRemovals,
  sweepsExpired,
  sweepsExpiredAndRemoved,
  sweepsRemoved,
  sweepsTogether
} from "../sql/SetAsideCases.ts"
import { onServer } from "./TemporarySchema.ts"

describe("corrections that are many, on Postgres", () => {
  it.live("go with a job that is removed, some at a time", () =>
    Effect.provide(sweepsRemoved, onServer)
  )

  it.live("go with old jobs, and with transcripts that expire", () =>
    Effect.provide(sweepsExpired, onServer)
  )

  it.live("go with a job whose transcript had expired before", () =>
    Effect.provide(sweepsExpiredAndRemoved, onServer)
  )

  it.live("are swept beside removals", () => Effect.provide(sweepsBesideRemovals, onServer))

  it.live("are swept by two at once", () => Effect.provide(sweepsTogether, onServer))
})
