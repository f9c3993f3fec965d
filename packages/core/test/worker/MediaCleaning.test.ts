/** Media is removed when the store says that its job has its transcript, not on a worker's word. */
import { assert, describe, it } from "@effect/vitest"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { Effect, Option } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { JobStore } from "#src/ports/JobStore"
import { MediaCleaning } from "#src/worker/MediaCleaning"
import { caller, submit } from "../world/caller.ts"
import { deployment } from "../world/world.ts"

describe("MediaCleaning", () => {
  it.effect("looks at the job again before it removes anything", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const { id } = yield* submit(principal, {})
      const store = yield* JobStore
      const found = yield* store.find(principal.workspaceId, JobId.make(id))
      const job = Option.getOrThrow(found)
      const { transcription } = job
      if (transcription._tag !== "Queued") return assert.fail("it waits for an engine")
      const { attempts, media } = transcription
      const at = yield* store.now
      const running = { _tag: "Running", id: job.id, media, attempt: attempts + 1, startedAt: at }
      const before = { ...job, transcription: running } as typeof job
      const ended = { _tag: "Transcribed", id: job.id, durationMillis: 1_000 }
      const after = { ...job, transcription: ended } as typeof job
      const { clean } = yield* MediaCleaning
      yield* clean(before, after)
      assert.deepStrictEqual(yield* (yield* FakeMedia).stored, [media.key])
    }).pipe(Effect.provide(MediaCleaning.layer), Effect.provide(deployment))
  )
})
