/**
 * Why a request to transcribe is not accepted, with the exact sentences (specification, errors).
 */
import { Schema } from "effect"

/** A parameter is missing or breaks its rule. `detail` is the sentence. */
export class InvalidParameter extends Schema.TaggedError<InvalidParameter>()("InvalidParameter", {
  parameter: Schema.String,
  detail: Schema.NonEmptyString
}) {
  override get message(): string {
    return this.detail
  }
}

/** Media of another kind. The extension has its dot, and is empty when there is none. */
export class UnsupportedExtension extends Schema.TaggedError<UnsupportedExtension>()(
  "UnsupportedExtension",
  { extension: Schema.String }
) {
  override get message(): string {
    return `Unsupported file extension: ${this.extension}`
  }
}

/** A file without one byte. */
export class FileEmpty extends Schema.TaggedError<FileEmpty>()("FileEmpty", {}) {
  override get message(): string {
    return "The file is empty"
  }
}

/** More bytes than this server takes. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", {
  maxMegabytes: Schema.Int
}) {
  override get message(): string {
    return `File size exceeds ${this.maxMegabytes}MB limit`
  }
}

/** The host of the URL has no address. `code` is the resolver's, for example `ENOTFOUND`. */
export class UrlUnresolved extends Schema.TaggedError<UrlUnresolved>()("UrlUnresolved", {
  host: Schema.String,
  code: Schema.String
}) {
  override get message(): string {
    return `Failed to resolve URL: ${this.host}: ${this.code}`
  }
}

/** Malformed, refused, blocked, too slow or not 2xx: callers are not told which. */
export class UrlUnreachable extends Schema.TaggedError<UrlUnreachable>()("UrlUnreachable", {}) {
  override get message(): string {
    return "Invalid URL or file not accessible"
  }
}

/** Why a request is not accepted; `message` is the sentence for the caller. */
export const Refusal = Schema.Union([
  InvalidParameter,
  UnsupportedExtension,
  FileEmpty,
  FileTooLarge,
  UrlUnresolved,
  UrlUnreachable
])
export type Refusal = typeof Refusal.Type
