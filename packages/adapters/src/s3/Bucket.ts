/**
 * Sends requests to a bucket. Each request has a time limit, and an exception thrown by the client
 * becomes a `MediaStoreError` with its cause.
 */
import {
  type $Command,
  S3Client,
  type S3ClientConfig,
  type S3ClientResolvedConfig,
  S3ServiceException,
  type ServiceInputTypes,
  type ServiceOutputTypes
} from "@aws-sdk/client-s3"
import { MediaStoreError } from "@verbatim/core/ports"
import { Duration, Effect, Option, Redacted, type Scope } from "effect"
import type { BucketOptions } from "./Options.ts"

/** A bucket with the client that sends requests to it. */
export interface Bucket {
  readonly client: S3Client
  readonly name: string
  readonly prefix: string
}

/**
 * Maximum number of attempts per request. After a transient failure, the pause increases with each
 * attempt.
 */
const attemptMax = 3

/** Time limit for connecting: no working network needs longer. */
const connectTimeout = Duration.seconds(5)

/** Maximum time without any bytes in either direction. */
const idleTimeout = Duration.seconds(30)

/**
 * Time limit for one request, including retries. The largest request sends 8 MiB, which takes this
 * long at 70 kB/s.
 */
export const requestTimeout: Duration.Duration = Duration.minutes(2)

const configOf = ({ credentials, endpoint, region }: BucketOptions): S3ClientConfig => ({
  region,
  maxAttempts: attemptMax,
  // Servers other than Amazon's do not support checksums in addition to the signature.
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
  requestHandler: {
    connectionTimeout: Duration.toMillis(connectTimeout),
    socketTimeout: Duration.toMillis(idleTimeout)
  },
  ...Option.match(endpoint, {
    onNone: () => ({}),
    onSome: (url) => ({ endpoint: url, forcePathStyle: true })
  }),
  ...Option.match(credentials, {
    onNone: () => ({}),
    onSome: ({ accessKeyId, secretAccessKey }) => ({
      credentials: { accessKeyId, secretAccessKey: Redacted.value(secretAccessKey) }
    })
  })
})

/**
 * Creates a bucket and its client, whose connections close with the scope. No request is sent yet.
 */
export const make = (options: BucketOptions): Effect.Effect<Bucket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => ({
      client: new S3Client(configOf(options)),
      name: options.bucket,
      prefix: options.prefix
    })),
    ({ client }) => Effect.sync(() => client.destroy())
  )

const unavailable = (operation: string, cause: unknown) =>
  new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })

/** Sends a command to a bucket. An interruption or a timeout aborts the request. */
export const sendTo =
  ({ client }: Bucket) =>
  <In extends ServiceInputTypes, Out extends ServiceOutputTypes>(
    operation: string,
    command: $Command<In, Out, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>
  ): Effect.Effect<Out, MediaStoreError> =>
    within(requestTimeout)(operation, (abortSignal) => client.send(command, { abortSignal }))

/** Sends a request with its own time limit. */
export const within =
  (duration: Duration.Duration) =>
  <A>(
    operation: string,
    send: (signal: AbortSignal) => Promise<A>
  ): Effect.Effect<A, MediaStoreError> =>
    Effect.tryPromise({ try: send, catch: (cause) => unavailable(operation, cause) }).pipe(
      Effect.timeoutOrElse({
        duration,
        orElse: () => Effect.fail(unavailable(operation, new Error("no answer in time")))
      })
    )

/** Whether the bucket reported an error with one of these names. */
const hasName =
  (...names: ReadonlyArray<string>) =>
  ({ reason }: MediaStoreError): boolean =>
    reason._tag === "Unavailable" &&
    reason.cause instanceof S3ServiceException &&
    names.includes(reason.cause.name)

/** Whether the bucket reported that the object or upload does not exist. */
export const isAbsent = hasName("NoSuchKey", "NotFound", "NoSuchUpload")

/** Whether the bucket reported that the object exists or is currently being written. */
export const isTaken = hasName("PreconditionFailed", "ConditionalRequestConflict")
