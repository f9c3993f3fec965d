/** Why a transcription request is not accepted, with messages that the specification defines. */

import { Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"

/** A parameter is missing or breaks its rule. `detail` is the sentence for the caller. */
export class InvalidParameter extends refusal<InvalidParameter>()("InvalidParameter", {
  fields: {
    parameter: Schema.String,
    detail: Schema.NonEmptyString
  },
  sentence: ({ detail }) => detail
}) {}

/**
 * The media type is not accepted. The extension includes its dot, and is empty if the file has
 * none.
 */
export class UnsupportedExtension extends refusal<UnsupportedExtension>()("UnsupportedExtension", {
  fields: { extension: Schema.String },
  sentence: ({ extension }) => `Unsupported file extension: ${extension}`
}) {}

/** The file is empty. */
export class FileEmpty extends refusal<FileEmpty>()("FileEmpty", {
  sentence: "The file is empty"
}) {}

/** The file is larger than this server accepts. */
export class FileTooLarge extends refusal<FileTooLarge>()("FileTooLarge", {
  fields: {
    maxMegabytes: Schema.Int
  },
  sentence: ({ maxMegabytes }) => `File size exceeds ${maxMegabytes}MB limit`
}) {}

/**
 * The URL's host does not resolve. `code` is the resolver's error code, for example `ENOTFOUND`.
 */
export class UrlUnresolved extends refusal<UrlUnresolved>()("UrlUnresolved", {
  fields: {
    host: Schema.String,
    code: Schema.String
  },
  sentence: ({ code, host }) => `Failed to resolve URL: ${host}: ${code}`
}) {}

/**
 * The URL is malformed, refused, blocked or too slow, or the status of the response is not 2xx.
 * Callers do not see the reason.
 */
export class UrlUnreachable extends refusal<UrlUnreachable>()("UrlUnreachable", {
  sentence: "Invalid URL or file not accessible"
}) {}

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
