/** A deployment for tests of retried requests, with files that end only when a test allows it. */
import { Deferred, Effect, Layer, Option, Stream } from "effect"
import type { IncomingPart } from "#src/domain/transcription/TranscriptionRequest"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { MediaStore } from "#src/ports/MediaStore"
import { Submissions } from "#src/services/intake/Submissions"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { replace } from "../../world/ports.ts"
import { front, outside } from "../../world/world.ts"

/** Counts the bytes that were passed to the media store, even those of files that were not kept. */
const countPuts = () => {
  const counts = { bytes: 0 }
  const store = replace(MediaStore, (media) => ({
    put: ({ content, ...more }) => {
      const counted = Stream.tap(content, ({ byteLength }) =>
        Effect.sync(() => {
          counts.bytes += byteLength
        })
      )
      return media.put({ ...more, content: counted })
    }
  }))
  const layer = front.pipe(Layer.provideMerge(store), Layer.provideMerge(outside))
  return { counts, layer }
}

type World = Layer.Success<ReturnType<typeof countPuts>["layer"]>

/** Runs steps as callers of a deployment without a worker. */
export const run = <A, E>(steps: (counts: { bytes: number }) => Effect.Effect<A, E, World>) => {
  const { counts, layer } = countPuts()
  return Effect.provide(steps(counts), layer)
}

const fileOf = (content: Stream.Stream<Uint8Array>): IncomingPart<never> => ({
  _tag: "File",
  name: "file",
  filename: "a.mp3",
  content
})

/** A three-byte file. */
export const short = (byte: number) => Stream.succeed(Uint8Array.of(byte, 2, 3))

/** Submits a file in a request that can be a retry. */
export const call = (
  principal: Principal,
  content: Stream.Stream<Uint8Array>,
  more: { readonly language?: string; readonly idempotencyKey?: string } = {}
) =>
  Effect.flatMap(Submissions, (submissions) => {
    const { language, ...arrival } = more
    const received: ReadonlyArray<IncomingPart<never>> =
      language === undefined ? [] : [{ _tag: "Parameter", name: "language", value: language }]
    return submissions.submit(principal, {
      isTextual: false,
      isJoining: true,
      parts: Stream.fromIterable([...received, fileOf(content)]),
      ...arrival
    })
  })

/** Submits a request with a body that fails the test if it is read. */
export const callUnread = (principal: Principal) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit(principal, {
      isTextual: false,
      isJoining: true,
      parts: Stream.die("the body was read")
    })
  )

/** Uses up a workspace's balance. */
export const spend = (principal: Principal) =>
  Effect.flatMap(Workspaces, (workspaces) =>
    workspaces.credit(principal.workspaceId, { minutes: -600 })
  )

/** Issues another key for the same workspace. */
export const another = (principal: Principal) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const order = { kind: "inference", token: Option.none() } as const
    const { token } = yield* keys.issue(principal.workspaceId, order)
    return yield* keys.authenticate(token)
  })

/** A file that starts immediately, and ends only when the test allows it. */
export const makeSlow = Effect.gen(function* () {
  const end = yield* Deferred.make<void>()
  const counts = { begun: 0 }
  const content = Stream.concat(
    Stream.fromEffect(
      Effect.sync(() => {
        counts.begun += 1
        return new Uint8Array(1_000)
      })
    ),
    Stream.drain(Stream.fromEffect(Deferred.await(end)))
  )
  return { content, counts, end: Deferred.succeed(end, undefined) }
})
