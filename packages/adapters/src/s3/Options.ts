/**
 * Options for the bucket and its credentials. This file is separate from `Bucket.ts`, so that a
 * host can compile without the optional client's types.
 */
import type { Option, Redacted } from "effect"

/** The bucket, its address and its credentials. */
export interface BucketOptions {
  readonly bucket: string
  /**
   * Prefix of all object names, a folder if it ends with a slash. No other objects may have this
   * prefix.
   */
  readonly prefix: string
  readonly region: string
  /** A server other than Amazon's, on which the bucket is addressed by path, not by host. */
  readonly endpoint: Option.Option<string>
  /**
   * If missing, the client looks in the same locations as Amazon's own tools: environment, profile,
   * instance.
   */
  readonly credentials: Option.Option<{
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted
  }>
}

/** A bucket, and a local folder for content that is being read. */
export interface S3MediaStoreOptions extends BucketOptions {
  /** The folder is created with mode 0700 if missing. */
  readonly directory: string
}
