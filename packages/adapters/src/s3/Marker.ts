/**
 * The object by which a bucket, or a folder of one, is recognised.
 */
import { GetObjectCommand, PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3"
import type { MarkOptions, MediaStoreError } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { ask, type Bucket, isAbsent } from "./Bucket.ts"

/** No key begins with a dot. */
const nameIn = ({ name, prefix }: Bucket) => ({ Bucket: name, Key: `${prefix}.verbatim-media` })

/** The text of the marker. */
export const read = (bucket: Bucket): Effect.Effect<Option.Option<string>, MediaStoreError> =>
  ask("marker", async (abortSignal) => {
    const { Body } = await bucket.client.send(new GetObjectCommand(nameIn(bucket)), { abortSignal })
    return Option.some(((await Body?.transformToString()) ?? "").trim())
  }).pipe(Effect.catchIf(isAbsent, () => Effect.succeedNone))

/** Whether there is a marker already, or one is being written at this moment. */
const isTaken = ({ reason }: MediaStoreError): boolean =>
  reason._tag === "Unavailable" &&
  reason.cause instanceof S3ServiceException &&
  ["PreconditionFailed", "ConditionalRequestConflict"].includes(reason.cause.name)

/**
 * Gives the bucket its marker unless it keeps the one that it has, and returns that. On a server
 * that does not know `If-None-Match` the last of several that do so at the same time wins.
 */
export const write = Effect.fnUntraced(function* (
  bucket: Bucket,
  text: string,
  { isReplacing }: MarkOptions = { isReplacing: false }
): Effect.fn.Return<string, MediaStoreError> {
  const found = yield* read(bucket)
  if (Option.isSome(found) && !isReplacing) return found.value
  const condition = isReplacing ? {} : { IfNoneMatch: "*" }
  const object = { ...nameIn(bucket), Body: text, ContentType: "text/plain", ...condition }
  yield* ask("mark", (abortSignal) =>
    bucket.client.send(new PutObjectCommand(object), { abortSignal })
  ).pipe(Effect.catchIf(isTaken, () => Effect.void))
  return Option.getOrElse(yield* read(bucket), () => text)
})
