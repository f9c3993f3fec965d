/**
 * Reads a request while it arrives: collects its parameters and streams its file into the media
 * store. A file that cannot be accepted is refused at its first byte, or at the first byte above
 * the limit. Invalid parameters before the file are reported first.
 */

import { Effect, Option, Result, Stream } from "effect"
import { Digest } from "effect/crypto"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import * as ContentDigest from "../../domain/transcription/ContentDigest.ts"
import { jobIdOf, type MediaKey, makeMediaKey } from "../../domain/transcription/MediaKey.ts"
import {
  extensionOf,
  fileBytesMax,
  isAccepted,
  MediaLimits
} from "../../domain/transcription/MediaType.ts"
import { Templates } from "../../domain/transcription/Templates.ts"
import type { StoredMedia } from "../../domain/transcription/Transcription.ts"
import {
  FileEmpty,
  FileTooLarge,
  InvalidParameter,
  type Refusal,
  UnsupportedExtension
} from "../../domain/transcription/TranscriptionRefusal.ts"
import {
  decodeRequest,
  type IncomingPart,
  type IncomingRequest,
  isParameter,
  type Parameters,
  type Submission,
  sentAsFile
} from "../../domain/transcription/TranscriptionRequest.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { MediaStore, MediaStoreError } from "../../ports/MediaStore.ts"
import { trace } from "../../ports/Trace.ts"
import { MediaIdentity } from "../tasks/MediaIdentity.ts"

/**
 * Whether a request's file is stored, hashed to find out whether the request is a retry, or both.
 */
type FileUse = "Digest" | "Store" | "StoreAndDigest"

/** An arriving request, and what to do with its file. */
interface Receiving<E> {
  readonly arrival: IncomingRequest<E>
  readonly use: FileUse
}

/** A request that was read, with the stored or hashed file. */
export interface Received {
  readonly use: FileUse
  readonly parameters: Parameters
  /** The names of the parameters that were sent more than once. */
  readonly repeated: ReadonlyArray<string>
  readonly upload: Option.Option<Upload>
}

/** A file that arrived and was stored, hashed, or both. */
interface Upload {
  readonly filename: string
  readonly media: StoredMedia
  /** The hash of the file's content; null if the file was only stored. */
  readonly digest: string | null
}

type ArrivingFile<E> = Extract<IncomingPart<E>, { readonly _tag: "File" }>

/** Maximum number of parts in a request, which is far more than the API has parameters. */
const partMax = 64

/** Creates a function that removes media that no job needs. */
export const makeForgetMedia = Effect.map(
  MediaStore,
  ({ remove }) =>
    (key: MediaKey) =>
      remove(key).pipe(
        // Files that could not be removed now are removed by the hourly clean-up.
        Effect.catch((error) =>
          Effect.logWarning("Unneeded media could not be removed yet", error)
        ),
        Effect.annotateLogs({ job: jobIdOf(key) })
      )
)

/** Creates a function that removes the file of a request that is refused after it was read. */
export const makeDiscard = Effect.map(
  makeForgetMedia,
  (forget) =>
    ({ upload, use }: Received) =>
      isStored(use) && Option.isSome(upload) ? forget(upload.value.media.key) : Effect.void
)

/** Returns the length of a file without storing it. */
const countBytes = <E>(content: ArrivingFile<E>["content"], limits: MediaLimits) =>
  Stream.runFoldEffect(
    content,
    () => 0,
    (length, { byteLength }) =>
      length + byteLength > fileBytesMax(limits)
        ? Effect.fail(new FileTooLarge({ maxMegabytes: limits.maxFileMegabytes }))
        : Effect.succeed(length + byteLength)
  )

const keyOf = Effect.fnUntraced(function* <E>(jobId: JobId, { filename }: ArrivingFile<E>) {
  const extension = extensionOf(filename)
  if (!isAccepted(extension)) return yield* new UnsupportedExtension({ extension })
  return { extension, key: makeMediaKey({ jobId, attempt: 0, extension }) }
})

/** Creates a function that stores a request's file, hashes it, or both. */
const makeTakeFile = Effect.gen(function* () {
  const mediaStore = yield* MediaStore
  const identity = yield* MediaIdentity
  const digests = yield* Digest.Digest
  const limits = yield* MediaLimits

  const put = <E>(key: MediaKey, content: ArrivingFile<E>["content"]) =>
    mediaStore
      .put({ key, content, byteMax: fileBytesMax(limits) })
      .pipe(
        Effect.catchIf(
          isTooLarge,
          () => new FileTooLarge({ maxMegabytes: limits.maxFileMegabytes })
        )
      )

  const take = Effect.fnUntraced(function* <E>(
    content: ArrivingFile<E>["content"],
    { key, use }: { readonly key: MediaKey; readonly use: FileUse }
  ) {
    if (use === "Store") return { byteLength: yield* put(key, content), digest: null }
    const digest = ContentDigest.make(digests)
    const digested = Stream.tap(content, digest.update)
    const byteLength = yield* use === "Digest" ? countBytes(digested, limits) : put(key, digested)
    return { byteLength, digest: yield* digest.end }
  })

  return Effect.fnUntraced(function* <E>(
    part: ArrivingFile<E>,
    {
      jobId,
      onStart,
      use
    }: {
      readonly jobId: JobId
      readonly use: FileUse
      /** Called before the file is stored. */
      readonly onStart: (key: MediaKey) => void
    }
  ) {
    const { extension, key } = yield* keyOf(jobId, part)
    if (isStored(use)) {
      // This check prevents writes to a folder that is not mounted.
      yield* identity.mustBeOurs("put")
      onStart(key)
    }
    const { byteLength, digest } = yield* take(part.content, { key, use })
    if (byteLength === 0) return yield* new FileEmpty()
    if (isStored(use)) yield* coreMetrics.mediaSize.record({ source: "upload" }, byteLength)
    return { filename: part.filename, media: { key, extension, byteLength }, digest }
  })
})

/** Collects a request's parameters as its parts arrive. */
const collectParameters = ({
  isTextual,
  templates
}: Pick<Submission, "isTextual" | "templates">) => {
  const parameters = new Map<string, unknown>()
  const repeated = new Set<string>()
  let files = 0
  let parts = 0
  const collected = () => ({
    parameters: Object.fromEntries(parameters),
    repeated: [...repeated]
  })

  /** Collects the parameter in a part, and returns whether the part is the file of the request. */
  const take = Effect.fnUntraced(function* <E>(part: IncomingPart<E>) {
    parts += 1
    if (parts > partMax) {
      return yield* new InvalidParameter({ parameter: part.name, detail: tooManyParts })
    }
    const isFile = part.name === "file"
    const isRepeated = parameters.has(part.name) || (isFile && files > 0)
    if (isRepeated) repeated.add(part.name)
    else if (part._tag === "Parameter") parameters.set(part.name, part.value)
    else if (isParameter(part.name)) parameters.set(part.name, sentAsFile)
    if (isFile && part._tag === "File") files += 1
    return isFile && !isRepeated
  })

  /**
   * Returns the error to report: errors in parameters that have already arrived take precedence
   * over errors in the file.
   */
  const firstOf = <F>(filename: string, error: F): F | Refusal => {
    if (!isOfFile(error)) return error
    const upload = Option.some({ filename })
    const request = decodeRequest({ ...collected(), upload, isTextual, templates })
    return Option.getOrElse(Result.getFailure(request), () => error)
  }

  return { collected, firstOf, take }
}

/**
 * Creates a function that reads a request to its end, and stores or hashes its file as `use` says.
 * A failure or an interruption leaves nothing behind.
 */
export const makeReceive = Effect.gen(function* () {
  const forget = yield* makeForgetMedia
  const takeFile = yield* makeTakeFile
  const templates = yield* Templates

  return trace("Uploads.receive")(function* <E>(jobId: JobId, { arrival, use }: Receiving<E>) {
    const { collected, firstOf, take } = collectParameters({ ...arrival, templates })
    let upload: Option.Option<Upload> = Option.none()
    let begun: Option.Option<MediaKey> = Option.none()
    // The name of a file that was sent but not stored, which causes the request to be refused.
    let passed: Option.Option<string> = Option.none()
    // `begun` is set before the file is stored, because an interruption can come right after the
    // last byte.
    const onStart = (key: MediaKey) => {
      begun = Option.some(key)
    }

    const takePart = Effect.fnUntraced(function* (part: IncomingPart<E>) {
      const isFile = yield* take(part)
      if (part._tag === "Parameter") return
      if (!isFile) {
        if (part.name === "file" && Option.isNone(upload)) passed = Option.some(part.filename)
        return yield* Stream.runDrain(part.content)
      }
      if (part.filename === "") {
        const isPassed = yield* Effect.mapError(isFilled(part), (error) => firstOf("", error))
        if (isPassed) passed = Option.some("")
        return
      }
      const taken = takeFile(part, { jobId, onStart, use })
      upload = yield* Effect.mapBoth(taken, {
        onFailure: (error) => firstOf(part.filename, error),
        onSuccess: Option.some
      })
    })

    return yield* Stream.runForEach(arrival.parts, takePart).pipe(
      Effect.flatMap(() =>
        Option.match(passed, {
          onSome: (name) => Effect.fail(firstOf(name, withoutExtension())),
          onNone: () => Effect.succeed({ use, ...collected(), upload })
        })
      ),
      Effect.onError(() => (Option.isSome(begun) ? forget(begun.value) : Effect.void))
    )
  })
})

const isStored = (use: FileUse): boolean => use !== "Digest"

const tooManyParts = "Too many parameters"

const withoutExtension = () => new UnsupportedExtension({ extension: "" })

/**
 * Maximum size of a file without a name: 64 KiB. Text that a client sends as `file` by mistake is
 * shorter.
 */
const namelessBytesMax = 65_536

/**
 * Whether a file without a name has content. Browsers send an empty file without a name if the user
 * chose no file. A file with content is refused once the parameters after the file have arrived,
 * unless the file is too long to be a mistake.
 */
const isFilled = <E>({
  content
}: ArrivingFile<E>): Effect.Effect<boolean, E | UnsupportedExtension> =>
  Stream.runFoldEffect(
    content,
    () => 0,
    (length, bytes) =>
      length + bytes.length > namelessBytesMax
        ? Effect.fail(withoutExtension())
        : Effect.succeed(length + bytes.length)
  ).pipe(Effect.map((length) => length > 0))

const isOfFile = (error: unknown): boolean =>
  error instanceof FileEmpty ||
  error instanceof FileTooLarge ||
  error instanceof UnsupportedExtension

const isTooLarge = (error: unknown): error is MediaStoreError =>
  error instanceof MediaStoreError && error.reason._tag === "TooLarge"
