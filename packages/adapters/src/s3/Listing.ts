/**
 * What is in a bucket and how old it is, page by page, and uploads that a crash has left
 * unfinished. Ages are counted from the bucket's own instants.
 */
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command
} from "@aws-sdk/client-s3"
import type { MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Array, Effect, Option, Stream } from "effect"
import { ask, type Bucket, isAbsent } from "./Bucket.ts"

/** S3 returns no more at once. */
const pageMax = 1_000

const isOlder = (at: Date | undefined, beforeMillis: number): boolean =>
  at !== undefined && at.getTime() < beforeMillis

/** The keys of objects that were stored before an instant. Other names are not ours. */
export const keysStoredBefore = (
  { client, name, prefix }: Bucket,
  beforeMillis: number
): Stream.Stream<MediaKey, MediaStoreError> =>
  Stream.paginate(undefined as string | undefined, (ContinuationToken) =>
    Effect.map(
      ask("olderThan", (abortSignal) =>
        client.send(
          new ListObjectsV2Command({
            Bucket: name,
            Prefix: prefix,
            MaxKeys: pageMax,
            ContinuationToken
          }),
          { abortSignal }
        )
      ),
      ({ Contents = [], NextContinuationToken }) => [
        Contents.filter(({ LastModified }) => isOlder(LastModified, beforeMillis)).flatMap(
          ({ Key = "" }) => Option.toArray(parseMediaKey(Key.slice(prefix.length)))
        ),
        Option.fromUndefinedOr(NextContinuationToken)
      ]
    )
  )

/** Uploads aborted at one time; the next collection goes on. */
const abandonedMax = 1_000

/** Aborts uploads that were begun before an instant: their parts cost money and have no name. */
export const giveUpUploads = Effect.fnUntraced(function* (
  { client, name, prefix }: Bucket,
  beforeMillis: number
) {
  const { Uploads = [] } = yield* ask("olderThan", (abortSignal) =>
    client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, MaxUploads: abandonedMax }),
      { abortSignal }
    )
  )
  const abandoned = Array.filter(Uploads, ({ Initiated }) => isOlder(Initiated, beforeMillis))
  yield* Effect.forEach(
    abandoned,
    ({ Key, UploadId }) =>
      ask("olderThan", () =>
        client.send(new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }))
      ).pipe(Effect.catchIf(isAbsent, () => Effect.void)),
    { discard: true }
  )
})
