/**
 * Decides which media is accepted, by its file extension or, for a download, by its content type.
 * Both are only hints; decoding shows what the bytes really are.
 */
import { Context, Option, Schema, Struct } from "effect"

/**
 * The accepted extensions (specification, limits) with their content types, the usual one first.
 */
export const contentTypes = {
  ".mp3": ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3"],
  ".wav": ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"],
  ".flac": ["audio/flac", "audio/x-flac"],
  ".ogg": ["audio/ogg", "application/ogg", "video/ogg"],
  ".oga": ["audio/ogg"],
  ".aac": ["audio/aac", "audio/x-aac", "audio/aacp"],
  ".m4a": ["audio/mp4", "audio/x-m4a", "audio/m4a"],
  ".wma": ["audio/x-ms-wma"],
  ".mp4": ["video/mp4", "application/mp4"],
  ".mov": ["video/quicktime"],
  ".avi": ["video/x-msvideo", "video/vnd.avi", "video/avi", "video/msvideo"],
  ".mkv": ["video/x-matroska", "video/matroska", "audio/x-matroska", "audio/matroska"],
  ".webm": ["video/webm", "audio/webm"],
  ".wmv": ["video/x-ms-wmv"],
  ".m4v": ["video/x-m4v"],
  ".flv": ["video/x-flv"]
} as const satisfies Record<`.${string}`, ReadonlyArray<string>>

const extensions = Struct.keys(contentTypes)

/** An accepted file extension, with its dot and in lower case. */
export const MediaExtension = Schema.Literals(extensions)
export type MediaExtension = typeof MediaExtension.Type

/** Whether media with this extension is accepted. */
export const isAccepted = Schema.is(MediaExtension)

/**
 * Maximum length of an extension, which is the same as for a file name. Longer extensions are
 * ignored.
 */
const extensionLengthMax = 255

/**
 * Returns the extension in a file name or in a URL's path, with its dot and in lower case; empty if
 * there is none. Only the part after the last separator counts. A name with a control character has
 * no extension, because another program may cut the name there.
 */
export const extensionOf = (name: string): string => {
  const part = lastPart(name)
  const dot = part.lastIndexOf(".")
  const length = part.length - dot - 1
  const isExtension = dot !== -1 && length > 0 && length <= extensionLengthMax
  return isExtension && !/\p{Cc}/u.test(name) ? part.slice(dot).toLowerCase() : ""
}

/** Maximum length of a file name in common file systems. */
const nameLengthMax = 255

/**
 * Returns a file name as text that every store accepts, without the folders that some clients send.
 * A name that is too long loses its beginning, so that it keeps its extension.
 */
export const lastPart = (name: string): string => {
  const start = Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1
  return name.slice(start).slice(-nameLengthMax).toWellFormed()
}

/**
 * Extensions that the specification does not list, each with an accepted extension for the same
 * content.
 */
const otherExtensions: ReadonlyMap<string, MediaExtension> = new Map([
  [".mpeg", ".mp3"],
  [".mpga", ".mp3"],
  [".opus", ".ogg"]
] as const)

/** Every extension that `withAcceptedExtension` recognises. */
export const knownExtensions: ReadonlyArray<string> = [...extensions, ...otherExtensions.keys()]

/**
 * Appends an accepted extension to a file name if the name's own extension or the content type is
 * known. Any other name stays unchanged.
 */
export const withAcceptedExtension = (filename: string, contentType = ""): string => {
  const extension = extensionOf(filename)
  if (isAccepted(extension)) return filename
  const known =
    otherExtensions.get(extension) ??
    Option.getOrElse(extensionOfContentType(contentType), () => "")
  return known === "" ? filename : (filename || "audio") + known
}

const extensionsByContentType: ReadonlyMap<string, MediaExtension> = new Map(
  // The list is reversed, because the last entry for a content type wins, and that must be the
  // first extension with that type.
  extensions
    .toReversed()
    .flatMap((extension) =>
      contentTypes[extension].map((contentType) => [contentType, extension] as const)
    )
)

/** Returns the accepted extension for a content type, ignoring parameters and case. */
export const extensionOfContentType = (contentType: string): Option.Option<MediaExtension> => {
  const [essence = ""] = contentType.split(";", 1)
  return Option.fromUndefinedOr(extensionsByContentType.get(essence.trim().toLowerCase()))
}

/**
 * Returns the accepted extension for media at a URL. It is taken from the first of these sources
 * that has one: the URL's path, the file name in `Content-Disposition`, the paths of redirects (the
 * last one first), and the content type.
 */
export const extensionOfRemote = (remote: {
  readonly url: string
  readonly hops: ReadonlyArray<string>
  readonly filename: Option.Option<string>
  readonly contentType: Option.Option<string>
}): Option.Option<MediaExtension> =>
  Option.fromUndefinedOr(
    [
      pathOf(remote.url),
      ...Option.toArray(remote.filename),
      ...remote.hops.map(pathOf).toReversed()
    ]
      .map(extensionOf)
      .find(isAccepted)
  ).pipe(Option.orElse(() => Option.flatMap(remote.contentType, extensionOfContentType)))

/** Returns the path of a URL, without query and fragment. */
export const pathOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ""

/** The limits on media, which are the same for uploads and for URLs. */
export interface MediaLimits {
  /** Maximum size of a file, in megabytes of 1,048,576 bytes. The refusal shows this number. */
  readonly maxFileMegabytes: number
}

export const MediaLimits: Context.Reference<MediaLimits> = Context.Reference(
  "@verbatim/core/domain/transcription/MediaLimits",
  // 200 MB holds about 3.5 hours of MP3 at 128 kbit/s.
  { defaultValue: () => ({ maxFileMegabytes: 200 }) }
)

/** Returns the maximum size of media in bytes. */
export const fileBytesMax = ({ maxFileMegabytes }: MediaLimits): number =>
  maxFileMegabytes * 1_048_576

/** Maximum size of all parameters, headers and boundaries around a file: 4 MiB. */
const overheadBytesMax = 4 * 1_048_576

/** Returns the maximum size, in bytes, of a whole request with a file. */
export const bodyBytesMax = (limits: MediaLimits): number => fileBytesMax(limits) + overheadBytesMax
