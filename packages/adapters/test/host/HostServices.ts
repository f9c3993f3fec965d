/** Provides Verbatim's services inside a host, with stores in the host's database. */
import { NodeCrypto } from "@effect/platform-node"
import type { Stores } from "@verbatim/core/ports"
import { Jobs, MediaIdentity, Presets, Services, Submissions } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { foundFirst, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Exit, Layer, Option, Stream } from "effect"

/**
 * The host checks its media store before it opens a transaction, because the first check writes a
 * marker, and SQLite allows only one writer at a time.
 */
const begun = Effect.all([
  foundFirst,
  Effect.suspend(() => publish),
  Effect.flatMap(MediaIdentity, ({ verify }) => verify)
])

/**
 * Provides the services, the ports that they use, and anything else that the given layer provides.
 */
export const servicesOver = <Beside, E>(stores: Layer.Layer<Stores | Beside, E>) =>
  Layer.effectDiscard(begun).pipe(
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(
      Layer.mergeAll(stores, FakeMedia.layer, NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom)
    )
  )

/** The principal on whose behalf the host acts. */
const principal = {
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(1)
} as const

const audio = "https://media.test/talk.mp3"

const bytes = new Uint8Array(1_000)

/** Publishes the recording at the URL that jobs fetch it from. */
const publish = Effect.flatMap(FakeMedia, (media) =>
  media.publish(audio, {
    bytes,
    hops: [],
    filename: Option.none(),
    contentType: Option.some("audio/mpeg"),
    byteLength: Option.some(bytes.length)
  })
)

const parameter = (name: string, value: unknown) => ({ _tag: "Parameter", name, value }) as const

/** Submits a job with the recording's URL. */
export const submitUrl = (idempotencyKey?: string) =>
  Effect.flatMap(Submissions, ({ submit }) =>
    submit(principal, {
      isTextual: true,
      idempotencyKey,
      parts: Stream.make(parameter("url", audio))
    })
  )

export const submitFile = (idempotencyKey?: string) =>
  Effect.flatMap(Submissions, ({ submit }) =>
    submit(principal, {
      isTextual: true,
      idempotencyKey,
      parts: Stream.make({
        _tag: "File",
        name: "file",
        filename: "talk.mp3",
        content: Stream.make(bytes)
      })
    })
  )

/** Adds a version to a preset. */
export const addVersion = (slug: string, idempotencyKey?: string) =>
  Effect.flatMap(Presets, ({ create }) =>
    create({
      principal,
      slug,
      idempotencyKey,
      body: Effect.succeed({ model: "any/model", instructions: slug })
    })
  )

/** Whether a caller outside the transaction can find a job. */
export const isThere = (id: string) =>
  Effect.flatMap(Jobs, ({ status }) =>
    Effect.map(Effect.exit(status(principal, id)), Exit.isSuccess)
  )
