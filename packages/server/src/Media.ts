/** Opens the media store: a folder, or a bucket that several machines can share. */
import { join, resolve } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import type { S3MediaStoreOptions } from "@verbatim/adapters/s3"
import type { MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { Config, Effect, Layer, Option } from "effect"
import { isServerUrl, text, textOf } from "./settings/Setting.ts"

/** A bucket and its access settings. */
export type Bucket = Omit<S3MediaStoreOptions, "directory">

export interface MediaLocation {
  readonly bucket: Option.Option<Bucket>
  readonly mediaDirectory: string
  readonly workDirectory: string
}

/** Matches `s3://bucket` and `s3://bucket/folder`. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** Whether a URL names a bucket. */
export const isBucketUrl = (url: string): boolean => pattern.test(url)

/** Returns the folder as a prefix of media keys, which is empty or ends with one slash. */
const prefixOf = (folder: string): string => {
  const path = folder.replace(/^\/+|\/+$/g, "")
  return path === "" ? "" : `${path}/`
}

const endpoint = textOf("S3_ENDPOINT", isServerUrl).pipe(Config.option)

const accessKeyId = Config.NonEmptyString("VERBATIM_S3_ACCESS_KEY_ID")
const secretAccessKey = Config.Redacted("VERBATIM_S3_SECRET_ACCESS_KEY")

/**
 * Reads the two keys of a bucket. Both must be set or neither, because a missing key could silently
 * come from another account in the environment.
 */
const credentials = Config.all([Config.option(accessKeyId), Config.option(secretAccessKey)]).pipe(
  Config.flatMap((given) =>
    given.every((key) => Option.isNone<unknown>(key))
      ? Config.succeed(Option.none())
      : Config.map(Config.all({ accessKeyId, secretAccessKey }), Option.some)
  )
)

/** Reads a bucket's access settings. The bucket's name comes from `VERBATIM_MEDIA_URL`. */
export const bucketAccess = Config.all({
  endpoint,
  // Only servers that ignore the region accept this default. Amazon's servers do not.
  region: text("S3_REGION"),
  credentials
})

/** Returns the bucket that a URL names, or `none` for a folder. */
export const bucketOf = (
  url: string,
  access: Omit<Bucket, "bucket" | "prefix">
): Option.Option<Bucket> =>
  Option.map(Option.fromNullishOr(pattern.exec(url)), ([, bucket = "", folder = ""]) => ({
    ...access,
    bucket,
    prefix: prefixOf(folder)
  }))

/**
 * Fails if the media folder cannot be written to now. A bucket is not checked, because it is never
 * full.
 */
export const checkWritable = ({
  bucket,
  mediaDirectory
}: MediaLocation): Effect.Effect<void, MediaStoreError> =>
  Option.isSome(bucket) ? Effect.void : Filesystem.checkWritable(resolve(mediaDirectory))

/** Provides the media store. The S3 client is loaded only if a bucket is set. */
export const layer = ({
  bucket,
  mediaDirectory,
  workDirectory
}: MediaLocation): Layer.Layer<MediaStore, MediaStoreError> =>
  Option.match(bucket, {
    onNone: () => Filesystem.layer({ directory: mediaDirectory }),
    onSome: (options) =>
      Layer.unwrap(
        Effect.promise(() => import("@verbatim/adapters/s3")).pipe(
          Effect.map((s3) => s3.layer({ ...options, directory: join(workDirectory, "media") }))
        )
      )
  })
