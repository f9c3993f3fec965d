/** Stretches of content, read from a bucket while somebody takes them. */
import { Readable } from "node:stream"
import { GetObjectCommand } from "@aws-sdk/client-s3"
import { MediaStoreError, type MediaStretch } from "@verbatim/core/ports"
import { Effect, type Scope, Stream } from "effect"
import { ask, type Bucket, isAbsent } from "./Bucket.ts"

const missingError = new MediaStoreError({ operation: "read", reason: { _tag: "Missing" } })

const unavailable = (cause: unknown) =>
  new MediaStoreError({ operation: "read", reason: { _tag: "Unavailable", cause } })

/** One request, whose answer is one version of the object. Its connection ends with the scope. */
export const read = Effect.fnUntraced(function* (
  { client, name }: Bucket,
  { Key, from, to }: Omit<MediaStretch, "key"> & { readonly Key: string }
): Effect.fn.Return<Stream.Stream<Uint8Array, MediaStoreError>, MediaStoreError, Scope.Scope> {
  const isEmpty = from >= to
  const range = isEmpty ? {} : { Range: `bytes=${from}-${to - 1}` }
  const { Body } = yield* Effect.acquireRelease(
    ask("read", (abortSignal) =>
      client.send(new GetObjectCommand({ Bucket: name, Key, ...range }), { abortSignal })
    ).pipe(Effect.catchIf(isAbsent, () => missingError)),
    (answer) => Effect.sync(() => answer.Body instanceof Readable && answer.Body.destroy())
  )
  if (isEmpty) return Stream.empty
  if (!(Body instanceof Readable)) {
    return yield* unavailable(new TypeError("an object without a body"))
  }
  return Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(Body, unavailable)
})
