/**
 * The bucket of the media and its credentials. Apart from `Bucket.ts`: types of the optional client
 * would reach the compiler of a host that has not installed it.
 */
import type { Option, Redacted } from "effect"

/** Where objects are kept, and as whom. */
export interface BucketOptions {
  readonly bucket: string
  /** The prefix of all names, a folder if it ends with a slash. Nothing else may begin with it. */
  readonly prefix: string
  readonly region: string
  /** A server that is not Amazon's; the bucket is addressed by path, not by a host of its own. */
  readonly endpoint: Option.Option<string>
  /** Without them the client looks where Amazon's own tools do: environment, profile, instance. */
  readonly credentials: Option.Option<{
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted
  }>
}

/** A bucket, and a folder of this machine for what is being read. */
export interface S3MediaStoreOptions extends BucketOptions {
  /** Created with mode 0700 when it is missing. */
  readonly directory: string
}
