/**
 * Uploads content to a bucket: short content in one request, longer content in parts, with one part
 * in memory. The object does not exist until the bucket has responded to the last request.
 */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand
} from "@aws-sdk/client-s3"
import { MediaStoreError } from "@verbatim/core/ports"
import { Effect, Stream } from "effect"
import { type Bucket, sendTo } from "./Bucket.ts"

/**
 * Bytes per part. S3 accepts at most 10,000 parts of at least 5 MiB: with parts of this size, an
 * upload can have 80 GB.
 */
const partBytes = 8 * 1_048_576

interface Target {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Fills a buffer with one part. The last part is shorter. A part is valid only until the next part
 * is read.
 */
const parts = () => {
  const part = new Uint8Array(partBytes)
  let filled = 0
  return {
    isFull: () => filled === partBytes,
    /** Copies as many bytes as fit, and returns their number. */
    fill: (bytes: Uint8Array) => {
      const taken = Math.min(bytes.length, partBytes - filled)
      part.set(bytes.subarray(0, taken), filled)
      filled += taken
      return taken
    },
    take: () => {
      const bytes = part.subarray(0, filled)
      filled = 0
      return bytes
    }
  }
}

/** A multipart upload that is opened when the first part is ready. */
const multipart = (bucket: Bucket, target: Target) => {
  const send = sendTo(bucket)
  const done: Array<CompletedPart> = []
  let uploadId: string | undefined

  const open = Effect.suspend(() =>
    uploadId === undefined
      ? Effect.map(send("put", new CreateMultipartUploadCommand(target)), (opened) => {
          uploadId = opened.UploadId
          return uploadId
        })
      : Effect.succeed(uploadId)
  )

  const sendPart = Effect.fnUntraced(function* (Body: Uint8Array) {
    const UploadId = yield* open
    const PartNumber = done.length + 1
    const part = new UploadPartCommand({ ...target, UploadId, PartNumber, Body })
    const { ETag } = yield* send("put", part)
    done.push({ PartNumber, ETag })
  })

  return {
    sendPart,
    isOpen: () => uploadId !== undefined,
    complete: Effect.suspend(() => {
      const upload = { UploadId: uploadId, MultipartUpload: { Parts: done } }
      return send("put", new CompleteMultipartUploadCommand({ ...target, ...upload }))
    }),
    // An upload that cannot be aborted now will be aborted by a later collection.
    abort: Effect.suspend(() =>
      uploadId === undefined
        ? Effect.void
        : Effect.ignore(
            send("put", new AbortMultipartUploadCommand({ ...target, UploadId: uploadId }))
          )
    )
  }
}

/**
 * Stores content under a name, and returns the content's length. After a failure or interruption,
 * the previous object is kept; a new object that may already have been created is removed.
 */
export const put = Effect.fnUntraced(function* <E, R>(
  bucket: Bucket,
  {
    byteMax,
    content,
    name
  }: {
    readonly name: string
    readonly content: Stream.Stream<Uint8Array, E, R>
    readonly byteMax: number
  }
) {
  const target = { Bucket: bucket.name, Key: name }
  const send = sendTo(bucket)
  const part = parts()
  const upload = multipart(bucket, target)
  let byteLength = 0
  let mayExist = false

  const take = Effect.fnUntraced(function* (chunk: Uint8Array) {
    byteLength += chunk.length
    if (byteLength > byteMax) {
      return yield* new MediaStoreError({ operation: "put", reason: { _tag: "TooLarge" } })
    }
    for (let at = 0; at < chunk.length; ) {
      at += part.fill(chunk.subarray(at))
      if (part.isFull()) yield* upload.sendPart(part.take())
    }
  })

  const end = Effect.gen(function* () {
    const rest = part.take()
    const isLong = upload.isOpen()
    if (isLong && rest.length > 0) yield* upload.sendPart(rest)
    const publish = isLong
      ? upload.complete
      : send("put", new PutObjectCommand({ ...target, Body: rest }))
    // If the request were interrupted, the bucket might store the content after the removal.
    yield* Effect.uninterruptible(
      Effect.suspend(() => {
        mayExist = true
        return publish
      })
    )
  })

  const removeObject = Effect.suspend(() =>
    mayExist ? Effect.ignore(send("put", new DeleteObjectCommand(target))) : Effect.void
  )

  yield* Stream.runForEach(content, take).pipe(
    Effect.andThen(end),
    Effect.onError(() => Effect.andThen(upload.abort, removeObject))
  )
  return byteLength
})
