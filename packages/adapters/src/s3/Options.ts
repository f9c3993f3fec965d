/**
 * Defines the options for the bucket and its credentials. This file is separate from `Bucket.ts`,
 * so that a host can compile without the optional client's types.
 */
import type { Option, Redacted } from "effect"

/** The bucket, its address and its credentials. */
export interface BucketOptions {
  readonly bucket: string
  /**
   * Prefix of all object names, which names a folder if it ends with a slash. No other objects may
   * have this prefix.
   */
  readonly prefix: string
  readonly region: string
  /**
   * URL of a server other than Amazon's. The bucket's name is sent in the path, not in the host
   * name.
   */
  readonly endpoint: Option.Option<string>
  /**
   * If omitted, the client looks for credentials in the same places as Amazon's own tools:
   * environment, profile, instance.
   */
  readonly credentials: Option.Option<{
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted
  }>
}

/** A bucket, and a local folder for content that is being read. */
export interface S3MediaStoreOptions extends BucketOptions {
  /** The local folder, which is created with mode 0700 if it is missing. */
  readonly directory: string
}
