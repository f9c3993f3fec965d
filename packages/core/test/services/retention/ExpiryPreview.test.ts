/** Expiring jobs are counted page by page, up to a maximum number. */
import { assert, describe, it } from "@effect/vitest"
import { jobId } from "@verbatim/testkit/samples"
import { DateTime, Effect, Option } from "effect"
import { RetentionStore } from "#src/ports/RetentionStore"
import { previewExpiry } from "#src/services/retention/Expiries"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { withCaller } from "../../world/caller.ts"
import { replace } from "../../world/replace.ts"
import { retain } from "./OldJobs.ts"

const day = (number: number) => DateTime.makeUnsafe(number * 86_400_000)

/** A store with the given number of full pages of jobs, all of which have media. */
const storeOf = (pages: number) => {
  let calls = 0
  return replace(RetentionStore, () => ({
    countExpired: ({ holding, limit }) =>
      Effect.sync(() => {
        const nothing = { jobs: 0, transcripts: 0, media: 0, oldest: Option.none() }
        if (holding !== "Media" || calls === pages) return { ...nothing, last: Option.none() }
        calls += 1
        const oldest = Option.some(day(calls))
        const last = Option.some({ at: day(calls), id: jobId(calls) })
        return { ...nothing, jobs: limit, oldest, last }
      })
  }))
}

const previewOf = (pages: number) =>
  withCaller(function* (principal) {
    yield* retain(principal, { jobDays: 1 })
    const workspaces = yield* Workspaces
    const { workspace } = yield* workspaces.account(principal.workspaceId)
    const outlook = yield* Effect.provide(previewExpiry(workspace), storeOf(pages))
    return Option.getOrThrow(outlook)
  })

describe("A preview of expiring jobs", () => {
  it.effect("adds up the jobs of all pages", () =>
    Effect.gen(function* () {
      const { isAll, jobs, oldest } = yield* previewOf(7)
      assert.deepStrictEqual([jobs, isAll, oldest], [70_000, true, Option.some(day(1))])
    })
  )

  it.effect("counts a million jobs and reports that there are more", () =>
    Effect.gen(function* () {
      const { isAll, jobs } = yield* previewOf(1_000)
      assert.deepStrictEqual([jobs, isAll], [1_000_000, false])
    })
  )
})
