/** Memory, SQLite and Postgres choose the same work, of short queues and of long ones. */

import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { laneKey, webhookLane } from "@verbatim/core/job"
import { JobStore, type Room, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { scaleRuns } from "@verbatim/testkit/laws"
import {
  insertJob,
  instant,
  later,
  leaseToken,
  makeOwingJob,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { type Context, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { onServer } from "../postgres/TemporarySchema.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

/** So few that a claim sees all their lanes, even on its walk round. */
const owners = upTo(2)
const hosts = ["a", "b", "c"]
const urlOf = (host: string): string => `https://${host}.example.com/in`

const queues = fc
  .tuple(fc.constantFrom(12, 40, 170), fc.constantFrom("Deliver", "Transcribe"))
  .chain(([size, kind]) =>
    fc.array(
      fc.record({
        kind: fc.constant(kind),
        // Most of it is of one workspace.
        owner: fc.constantFrom(1, 1, 1, ...owners),
        host: fc.constantFrom("a", "a", ...hosts),
        // Some of it in the future.
        second: fc.integer({ min: -60, max: 5 })
      }),
      { minLength: size, maxLength: size, size: "max" }
    )
  )

const rooms: fc.Arbitrary<Room> = fc.record({
  kinds: fc.record({
    Deliver: fc.integer({ min: 0, max: 8 }),
    Transcribe: fc.integer({ min: 0, max: 8 })
  }),
  held: fc.record({
    Deliver: fc.dictionary(fc.constantFrom(...owners.map(workspaceId)), fc.nat({ max: 4 })),
    Transcribe: fc.dictionary(fc.constantFrom(...owners.map(workspaceId)), fc.nat({ max: 4 }))
  }),
  lanes: fc.record({
    max: fc.integer({ min: 1, max: 4 }),
    taken: fc.dictionary(
      fc.constantFrom(
        ...owners.flatMap((owner) =>
          hosts.map((host) =>
            laneKey({ workspaceId: workspaceId(owner), lane: webhookLane(urlOf(host)) })
          )
        )
      ),
      fc.nat({ max: 4 })
    )
  })
})

type Queue = typeof queues extends fc.Arbitrary<infer A> ? A : never

/** What a store gives out from a queue, claim by claim. The queue is empty before and after. */
const given = (queue: Queue, claims: ReadonlyArray<Room>) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const work = yield* WorkQueue
    const stored = yield* Effect.forEach(
      queue,
      ({ host, kind, owner, second }, index) => {
        const dueAt = later(second * 1_000)
        const job = makeOwingJob(index + 1, { kind, dueAt, receiver: urlOf(host) } as never)
        return insertJob({ ...job, workspaceId: workspaceId(owner) })
      },
      { concurrency: 16 }
    )
    const answers = yield* Effect.forEach(claims, (room, index) =>
      Effect.map(work.claim({ ...room, token: leaseToken(index + 1) }), (claimed) =>
        claimed.jobs.map(({ id }) => id)
      )
    )
    yield* Effect.forEach(stored, (job) => jobs.remove(job.workspaceId, job.id), {
      concurrency: 16
    })
    return answers
  })

const setClock = TestClock.setTime(DateTime.toEpochMillis(instant))

describe("Work", () => {
  it.live("is chosen alike by memory, SQLite and Postgres", () =>
    Effect.gen(function* () {
      const clock = yield* Layer.build(Layer.fresh(TestClock.layer()))
      const memory: Context.Context<Ports> = yield* Layer.build(Layer.fresh(Memory.layer))
      const sqlite = yield* Layer.build(Layer.fresh(Sqlite.layer({ filename: ":memory:" })))
      const postgres = yield* Layer.build(Layer.fresh(onServer))
      yield* Effect.provideContext(setClock, clock)
      const context = yield* Effect.context<never>()
      const run = Effect.runPromiseWith(context)
      const property = fc.asyncProperty(
        queues,
        fc.array(rooms, { minLength: 1, maxLength: 4 }),
        async (queue, claims) => {
          const answers = given(queue, claims)
          const timed = (stores: Context.Context<Ports>) =>
            answers.pipe(Effect.provideContext(stores), Effect.provideContext(clock))
          const expected = await run(timed(memory))
          assert.deepStrictEqual(await run(timed(sqlite)), expected)
          assert.deepStrictEqual(await run(answers.pipe(Effect.provideContext(postgres))), expected)
        }
      )
      yield* Effect.promise(() =>
        fc.assert(property, { numRuns: scaleRuns(25), endOnFailure: true })
      )
    }).pipe(Effect.scoped)
  )
})
