/**
 * Implements `MediaStore` in a bucket that processes on many machines can share. Content that is
 * being read is kept in a private local file.
 */
import { createWriteStream } from "node:fs"
import { extname, join, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand
} from "@aws-sdk/client-s3"
import {
  type MarkerOptions,
  type MediaRange,
  MediaStore,
  MediaStoreError,
  trace
} from "@verbatim/core/ports"
import { type LocalMedia, type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Array, Clock, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import * as Staging from "../filesystem/Staging.ts"
import {
  type Bucket,
  isAbsent,
  isTaken,
  make as makeBucket,
  requestTimeout,
  sendTo,
  within
} from "./Bucket.ts"
import type { S3MediaStoreOptions } from "./Options.ts"

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
 * Creates a buffer that holds one part at a time. Only the last part is shorter. A part is valid
 * only until the next part is read.
 */
const parts = () => {
  const part = new Uint8Array(partBytes)
  let filled = 0
  return {
    isFull: () => filled === partBytes,
    /** Copies as many bytes as fit into the part, and returns their number. */
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
 * Stores content under a name, and returns the content's length. Short content is sent in one
 * request, longer content in parts, with one part in memory. The object does not exist until the
 * bucket has responded to the last request. After a failure or interruption, the previous object is
 * kept; a new object that may already have been created is removed.
 */
const put = Effect.fnUntraced(function* <E, R>(
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
    // If an interruption aborted this request, the bucket might still store the content, after it
    // was removed.
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

// Lists objects by age, page by page, and aborts uploads that a crash left unfinished. Ages are
// computed from the timestamps that the bucket reports.

/** S3's maximum number of objects per page. */
const pageMax = 1_000

const isOlder = (at: Date | undefined, beforeMillis: number): boolean =>
  at !== undefined && at.getTime() < beforeMillis

const pageOf = ({ name, prefix }: Bucket) => ({ Bucket: name, Prefix: prefix })

/**
 * Lists the keys of objects that were stored before a given time. Objects with names that are not
 * keys are ignored.
 */
export const keysStoredBefore = (
  bucket: Bucket,
  beforeMillis: number
): Stream.Stream<MediaKey, MediaStoreError> =>
  Stream.paginate(undefined as string | undefined, (ContinuationToken) =>
    Effect.map(
      sendTo(bucket)(
        "olderThan",
        new ListObjectsV2Command({ ...pageOf(bucket), MaxKeys: pageMax, ContinuationToken })
      ),
      ({ Contents = [], NextContinuationToken }) => [
        Contents.filter(({ LastModified }) => isOlder(LastModified, beforeMillis)).flatMap(
          ({ Key = "" }) => Option.toArray(parseMediaKey(Key.slice(bucket.prefix.length)))
        ),
        Option.fromUndefinedOr(NextContinuationToken)
      ]
    )
  )

/** Maximum number of uploads that one collection aborts; the next collection continues. */
const abandonedMax = 1_000

/**
 * Aborts uploads that began before a given time, because the uploaded parts cost money and are not
 * listed as objects.
 */
export const abortOldUploads = Effect.fnUntraced(function* (bucket: Bucket, beforeMillis: number) {
  const send = sendTo(bucket)
  const { Uploads = [] } = yield* send(
    "olderThan",
    new ListMultipartUploadsCommand({ ...pageOf(bucket), MaxUploads: abandonedMax })
  )
  const abandoned = Array.filter(Uploads, ({ Initiated }) => isOlder(Initiated, beforeMillis))
  yield* Effect.forEach(
    abandoned,
    ({ Key, UploadId }) =>
      send(
        "olderThan",
        new AbortMultipartUploadCommand({ Bucket: bucket.name, Key, UploadId })
      ).pipe(Effect.catchIf(isAbsent, () => Effect.void)),
    { discard: true }
  )
})

// Reads and writes the marker object, which identifies a bucket, or a folder in a bucket.

/** No key begins with a dot. */
const nameIn = ({ name, prefix }: Bucket) => ({ Bucket: name, Key: `${prefix}.verbatim-media` })

/** Reads the marker's text. */
export const readMarker = (bucket: Bucket): Effect.Effect<Option.Option<string>, MediaStoreError> =>
  within(requestTimeout)("marker", async (abortSignal) => {
    const { Body } = await bucket.client.send(new GetObjectCommand(nameIn(bucket)), { abortSignal })
    return Option.some(((await Body?.transformToString()) ?? "").trim())
  }).pipe(Effect.catchIf(isAbsent, () => Effect.succeedNone))

/**
 * Writes the marker unless one exists, and returns the current marker. On a server that does not
 * support `If-None-Match`, the last of several concurrent writers wins.
 */
export const writeMarker = Effect.fnUntraced(function* (
  bucket: Bucket,
  text: string,
  { isReplacing }: MarkerOptions = { isReplacing: false }
): Effect.fn.Return<string, MediaStoreError> {
  const found = yield* readMarker(bucket)
  if (Option.isSome(found) && !isReplacing) return found.value
  const condition = isReplacing ? {} : { IfNoneMatch: "*" }
  const object = { ...nameIn(bucket), Body: text, ContentType: "text/plain", ...condition }
  yield* sendTo(bucket)("mark", new PutObjectCommand(object)).pipe(
    Effect.catchIf(isTaken, () => Effect.void)
  )
  return Option.getOrElse(yield* readMarker(bucket), () => text)
})

// Reads ranges of content directly from the bucket.

const missingRange = new MediaStoreError({ operation: "read", reason: { _tag: "Missing" } })

const unavailable = (cause: unknown) =>
  new MediaStoreError({ operation: "read", reason: { _tag: "Unavailable", cause } })

/**
 * Reads a range with one request, so that all bytes belong to the same version. The connection ends
 * with the scope.
 */
export const readRange = Effect.fnUntraced(function* (
  bucket: Bucket,
  { Key, from, to }: Omit<MediaRange, "key"> & { readonly Key: string }
): Effect.fn.Return<Stream.Stream<Uint8Array, MediaStoreError>, MediaStoreError, Scope.Scope> {
  const isEmpty = from >= to
  const range = isEmpty ? {} : { Range: `bytes=${from}-${to - 1}` }
  const { Body } = yield* Effect.acquireRelease(
    sendTo(bucket)("read", new GetObjectCommand({ Bucket: bucket.name, Key, ...range })).pipe(
      Effect.catchIf(isAbsent, () => missingRange)
    ),
    (answer) => Effect.sync(() => answer.Body instanceof Readable && answer.Body.destroy())
  )
  if (isEmpty) return Stream.empty
  if (!(Body instanceof Readable)) {
    return yield* unavailable(new TypeError("an object without a body"))
  }
  return Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(Body, unavailable)
})

/** An unfinished upload of this age is considered abandoned, because uploads take only minutes. */
const abandonedAfter = Duration.hours(24)

/**
 * Returns the object name for a key. Strings that are not keys have no object name, so nothing
 * outside the prefix is accessible.
 */
const nameOf = Effect.fnUntraced(function* (
  { prefix }: Bucket,
  { key, operation }: { readonly key: MediaKey; readonly operation: string }
) {
  const valid = parseMediaKey(key)
  if (Option.isSome(valid)) return `${prefix}${valid.value}`
  const cause = new TypeError("not a media key")
  return yield* new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })
})

const missingError = new MediaStoreError({ operation: "open", reason: { _tag: "Missing" } })

/**
 * Time limit for a download: enough for the largest file at 250 kB/s. A download fails earlier if
 * no byte arrives for 30 s.
 */
const downloadTimeout = Duration.minutes(15)

const download = (
  { client, name }: Bucket,
  { Key, path }: { readonly Key: string; readonly path: string }
) =>
  within(downloadTimeout)("open", async (signal) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key }), {
      abortSignal: signal
    })
    if (!(Body instanceof Readable)) throw new TypeError("an object without a body")
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 })
    await pipeline(Body, file, { signal })
    return file.bytesWritten
  }).pipe(Effect.catchIf(isAbsent, () => missingError))

const open = Effect.fnUntraced(function* (
  bucket: Bucket,
  { directory, key }: { readonly directory: string; readonly key: MediaKey }
): Effect.fn.Return<LocalMedia, MediaStoreError, Scope.Scope> {
  const Key = yield* nameOf(bucket, { key, operation: "open" })
  const folder = yield* Staging.folder(directory)
  const extension = extname(key)
  const path = join(folder, `media${extension}`)
  return { path, extension, byteLength: yield* download(bucket, { Key, path }) }
})

const make = (bucket: Bucket, directory: string): MediaStore["Service"] => ({
  put: trace("MediaStore.put")(function* <E, R>(request: {
    readonly key: MediaKey
    readonly content: Stream.Stream<Uint8Array, E, R>
    readonly byteMax: number
  }): Effect.fn.Return<number, MediaStoreError | E, R> {
    const name = yield* nameOf(bucket, { key: request.key, operation: "put" })
    return yield* put(bucket, { ...request, name })
  }),
  open: trace("MediaStore.open")((key: MediaKey) => open(bucket, { directory, key })),
  read: trace("MediaStore.read")(function* ({ key, ...range }: MediaRange) {
    const Key = yield* nameOf(bucket, { key, operation: "read" })
    return yield* readRange(bucket, { ...range, Key })
  }),
  remove: trace("MediaStore.remove")(function* (key: MediaKey) {
    const Key = yield* nameOf(bucket, { key, operation: "remove" })
    yield* sendTo(bucket)("remove", new DeleteObjectCommand({ Bucket: bucket.name, Key })).pipe(
      Effect.catchIf(isAbsent, () => Effect.void)
    )
  }),
  olderThan: (age) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* Staging.sweep(directory)
        yield* abortOldUploads(bucket, now - Duration.toMillis(abandonedAfter)).pipe(
          // S3 servers that cannot list uploads discard unfinished uploads by themselves.
          Effect.catch((error) => Effect.logDebug("Unfinished uploads could not be listed", error))
        )
        return keysStoredBefore(bucket, now - Duration.toMillis(age))
      })
    ),
  marker: readMarker(bucket),
  mark: trace("MediaStore.mark")((text: string, options?: MarkerOptions) =>
    writeMarker(bucket, text, options)
  )
})

/** Stores media in an existing bucket. Requests are sent only when needed. */
export const layer = (options: S3MediaStoreOptions): Layer.Layer<MediaStore, MediaStoreError> =>
  Layer.effect(
    MediaStore,
    Effect.gen(function* () {
      const directory = resolve(options.directory)
      yield* Staging.start(directory)
      return make(yield* makeBucket(options), directory)
    })
  )
