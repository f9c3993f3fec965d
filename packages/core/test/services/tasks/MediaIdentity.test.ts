import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Filesystem from "@verbatim/adapters/filesystem"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { instant } from "@verbatim/testkit/samples"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { JobStore } from "#src/ports/JobStore"
import { MediaStore, type MediaStoreError } from "#src/ports/MediaStore"
import {
  adopt,
  judgeMarker,
  MediaIdentity,
  statusLifetime
} from "#src/services/tasks/MediaIdentity"
import { caller, submit } from "../../world/caller.ts"
import { deployment, front, outside } from "../../world/world.ts"

/** A media store that returns scripted results and counts its calls. */
class Watched extends Context.Service<
  Watched,
  {
    calls: number
    answer: Effect.Effect<Option.Option<string>, MediaStoreError> | undefined
  }
>()("@verbatim/core/test/transcription/Watched") {}

const watched = Layer.effectContext(
  Effect.map(MediaStore, (store) => {
    const state: Watched["Service"] = { calls: 0, answer: undefined }
    const marker = Effect.suspend(() => {
      state.calls += 1
      return state.answer ?? store.marker
    })
    return Context.make(Watched, state).pipe(Context.add(MediaStore, { ...store, marker }))
  })
).pipe(Layer.provide(FakeMedia.layer))

const identity = MediaIdentity.layer.pipe(Layer.provideMerge(watched), Layer.provideMerge(outside))

const status = Effect.map(
  Effect.flatMap(MediaIdentity, ({ verify }) => verify),
  ({ _tag }) => _tag
)

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-identity-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Runs an effect in a new process with the given folder and the shared database. */
const onFolder = <A, E, R>(directory: string, effect: Effect.Effect<A, E, R>) =>
  Effect.provide(
    effect,
    MediaIdentity.layer.pipe(Layer.provideMerge(Filesystem.layer({ directory }))),
    { local: true }
  )

const markerOf = (directory: string) =>
  onFolder(
    directory,
    Effect.flatMap(MediaStore, ({ marker }) => marker)
  )

/** Kills a process after it has marked a folder, and before it has marked its database. */
const dieHalfMarked = Effect.fnUntraced(function* (folder: string) {
  const reached = yield* Deferred.make<void>()
  const adoptMedia = () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
  const dying = Layer.succeed(JobStore, { ...(yield* JobStore), adoptMedia })
  const first = yield* Effect.forkChild(Effect.provide(onFolder(folder, status), dying))
  yield* Deferred.await(reached)
  yield* Fiber.interrupt(first)
})

describe("MediaIdentity", () => {
  it.effect("checks the store once, and shares the result with all callers for a while", () =>
    Effect.gen(function* () {
      const state = yield* Watched
      const { verify } = yield* MediaIdentity
      yield* Effect.all([verify, verify, verify], { concurrency: "unbounded" })
      assert.strictEqual(state.calls, 1)
      yield* TestClock.adjust(Duration.subtract(statusLifetime, Duration.millis(1)))
      state.answer = Effect.succeedNone
      assert.strictEqual(yield* status, "Ours")
      assert.strictEqual(state.calls, 1)
      yield* TestClock.adjust(Duration.millis(1))
      assert.strictEqual(yield* status, "NotOurs")
      assert.strictEqual(state.calls, 2)
    }).pipe(Effect.provide(identity))
  )

  it.effect("gives up on a hanging store, and checks the store again later", () =>
    Effect.gen(function* () {
      const state = yield* Watched
      state.answer = Effect.never
      const asking = yield* Effect.forkChild(status)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* Fiber.join(asking), "Unreachable")
      state.answer = undefined
      assert.strictEqual(yield* status, "Ours")
    }).pipe(Effect.provide(identity))
  )

  it.effect("ends a running check before its media store closes", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const began = yield* Deferred.make<void>()
      const slow = Deferred.succeed(began, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Effect.sync(() => events.push("check ended")))
      )
      const store = Layer.effect(
        MediaStore,
        Effect.gen(function* () {
          const real = yield* MediaStore
          yield* Effect.addFinalizer(() => Effect.sync(() => events.push("store closed")))
          return { ...real, marker: slow }
        })
      ).pipe(Layer.provide(FakeMedia.layer))
      const process = MediaIdentity.layer.pipe(Layer.provideMerge(store))
      const asking = yield* Effect.forkChild(Effect.provide(status, process, { local: true }))
      yield* Deferred.await(began)
      yield* Fiber.interrupt(asking)
      assert.deepStrictEqual(events, ["check ended", "store closed"])
    }).pipe(Effect.provide(outside))
  )

  it.effect("recognises a folder that is not mounted, and leaves the folder unchanged", () =>
    Effect.gen(function* () {
      const [disk, mountPoint] = yield* Effect.all([newFolder, newFolder])
      assert.strictEqual(yield* onFolder(disk, status), "Ours")
      assert.strictEqual(yield* onFolder(mountPoint, status), "NotOurs")
      assert.deepStrictEqual(yield* markerOf(mountPoint), Option.none())
      assert.strictEqual(yield* onFolder(disk, status), "Ours")
    }).pipe(Effect.provide(outside))
  )

  it.effect("never takes over another database's store without an operator's request", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      assert.strictEqual(yield* onFolder(folder, status), "Ours")
      const before = yield* markerOf(folder)
      const inNew = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provide(effect, Layer.fresh(outside), { local: true })
      const again = Effect.all([onFolder(folder, status), onFolder(folder, status)])
      assert.deepStrictEqual(yield* inNew(again), ["NotOurs", "NotOurs"])
      assert.deepStrictEqual(yield* markerOf(folder), before)
      assert.strictEqual(yield* onFolder(folder, status), "Ours")
    }).pipe(Effect.provide(outside))
  )

  it.effect(
    "takes over a store at an operator's request, and the other database stops using it",
    () =>
      Effect.gen(function* () {
        const folder = yield* newFolder
        assert.strictEqual(yield* onFolder(folder, status), "Ours")
        const taken = Effect.gen(function* () {
          const adopted = yield* onFolder(folder, adopt({ mayTake: true }))
          return [adopted._tag, yield* onFolder(folder, status)]
        })
        const inNew = Effect.provide(taken, Layer.fresh(outside), { local: true })
        assert.deepStrictEqual(yield* inNew, ["Ours", "Ours"])
        assert.strictEqual(yield* onFolder(folder, status), "NotOurs")
      }).pipe(Effect.provide(outside))
  )

  it("leaves the store to the original database if its own database is a copy", () => {
    const marker = Option.some("one.1")
    const original = { identity: "one", createdAt: instant, marker, isCopied: false }
    const tagOf = (mark: typeof original) => judgeMarker(mark, marker)?._tag
    assert.deepStrictEqual(
      [tagOf(original), tagOf({ ...original, isCopied: true })],
      ["Ours", "NotOurs"]
    )
  })

  it.effect("recovers from a crash between the marking of the store and of the database", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const jobs = yield* JobStore
      yield* dieHalfMarked(folder)
      assert.strictEqual(yield* onFolder(folder, status), "Ours")
      assert.deepStrictEqual((yield* jobs.databaseIdentity).marker, yield* markerOf(folder))
    }).pipe(Effect.provide(outside))
  )

  it.live(
    "gives a new database only one store, even if processes with different stores start together",
    () =>
      Effect.gen(function* () {
        const [shared, alone] = yield* Effect.all([newFolder, newFolder])
        const starts = [shared, alone, shared].map((folder) => onFolder(folder, status))
        const [one, other, third] = yield* Effect.all(starts, { concurrency: "unbounded" })
        assert.strictEqual(one, third)
        assert.sameMembers([`${one}`, `${other}`], ["Ours", "NotOurs"])
      }).pipe(Effect.provide(outside))
  )

  it.effect("accepts no upload into another database's store", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const jobs = yield* JobStore
      yield* jobs.adoptMedia({ marker: "of another folder", isReplacing: false })
      const principal = yield* caller
      const upload = front.pipe(Layer.provide(Filesystem.layer({ directory: folder })))
      const exit = yield* Effect.exit(
        Effect.provide(submit(principal, {}), upload, { local: true })
      )
      assert.include(String(exit), "MediaStoreError")
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(folder)), [".staging"])
    }).pipe(Effect.provide(Layer.merge(deployment, outside)))
  )
})
