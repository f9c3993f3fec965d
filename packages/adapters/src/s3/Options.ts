/**
 * Options for the bucket and its credentials. Separate from `Bucket.ts`, so that a host without the
 * optional client does not need its types to compile.
 */
import type { Option, Redacted } from "effect"

/** The bucket, its address and its credentials. */
export interface BucketOptions {
  readonly bucket: string
  /** Prefix of all names; a folder if it ends with a slash. Nothing else may begin with it. */
  readonly prefix: string
  readonly region: string
  /** A server other than Amazon's; the bucket is then addressed by path, not by host. */
  readonly endpoint: Option.Option<string>
  /** If missing, the client looks where Amazon's own tools do: environment, profile, instance. */
  readonly credentials: Option.Option<{
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted
  }>
}

/** A bucket, and a local folder for content that is being read. */
export interface S3MediaStoreOptions extends BucketOptions {
  /** Created with mode 0700 if missing. */
  readonly directory: string
}
