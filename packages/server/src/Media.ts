/**
 * Where media is kept: in a folder, or in a bucket that many machines share.
 */
import { join, resolve } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import type { S3MediaStoreOptions } from "@verbatim/adapters/s3"
import type { MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { Config, Effect, Layer, Option } from "effect"
import { text, textOf } from "./settings/Setting.ts"

/** A bucket, and how to reach it. */
export type Bucket = Omit<S3MediaStoreOptions, "directory">

/** The settings that say where media is. */
export interface MediaLocation {
  readonly bucket: Option.Option<Bucket>
  readonly mediaDirectory: string
  readonly workDirectory: string
}

/** `s3://bucket` or `s3://bucket/folder`. */
const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** Whether a URL names a bucket. */
export const isBucketUrl = (url: string): boolean => pattern.test(url)

/** The folder as a prefix that ends with one slash; no folder is no prefix. */
const prefixOf = (folder: string): string => {
  const path = folder.replace(/^\/+|\/+$/g, "")
  return path === "" ? "" : `${path}/`
}

const isHttpUrl = (text: string): boolean => {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null
  return url !== null && url.username === "" && url.password === ""
}

const endpoint = textOf("S3_ENDPOINT", isHttpUrl).pipe(Config.option)

const accessKeyId = Config.NonEmptyString("VERBATIM_S3_ACCESS_KEY_ID")
const secretAccessKey = Config.Redacted("VERBATIM_S3_SECRET_ACCESS_KEY")

/** Both or neither: a missing half would silently come from somebody else's environment. */
const credentials = Config.all([Config.option(accessKeyId), Config.option(secretAccessKey)]).pipe(
  Config.flatMap((given) =>
    given.every((key) => Option.isNone<unknown>(key))
      ? Config.succeed(Option.none())
      : Config.map(Config.all({ accessKeyId, secretAccessKey }), Option.some)
  )
)

/** How a bucket is reached; its name comes from `VERBATIM_MEDIA_URL`. */
export const bucketAccess = Config.all({
  endpoint,
  // What servers other than Amazon's accept when they do not care.
  region: text("S3_REGION"),
  credentials
})

/** The bucket that a URL names; none for a folder. */
export const bucketOf = (
  url: string,
  access: Omit<Bucket, "bucket" | "prefix">
): Option.Option<Bucket> =>
  Option.map(Option.fromNullishOr(pattern.exec(url)), ([, bucket = "", folder = ""]) => ({
    ...access,
    bucket,
    prefix: prefixOf(folder)
  }))

/** Fails where a folder of media takes no content now. A bucket has no end that we could reach. */
export const mustBeWritable = ({
  bucket,
  mediaDirectory
}: MediaLocation): Effect.Effect<void, MediaStoreError> =>
  Option.isSome(bucket) ? Effect.void : Filesystem.mustBeWritable(resolve(mediaDirectory))

/** The media store of a process. The client of S3 is loaded only where a bucket is named. */
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
