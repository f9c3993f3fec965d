/**
 * How large media may be.
 */
import { Context } from "effect"

/** Limits on media, the same for uploads and for URLs. */
export interface MediaLimits {
  /** In megabytes of 1,048,576 bytes; the number that the refusal names. */
  readonly fileMegabytesMax: number
}

export const MediaLimits: Context.Reference<MediaLimits> = Context.Reference(
  "@verbatim/core/domain/transcription/MediaLimits",
  // 200 MB holds about 3.5 hours of MP3 at 128 kbit/s.
  { defaultValue: () => ({ fileMegabytesMax: 200 }) }
)

/** The same limit in bytes. */
export const fileBytesMax = ({ fileMegabytesMax }: MediaLimits): number =>
  fileMegabytesMax * 1_048_576

/** 4 MiB: for all parameters, headers and boundaries around a file together. */
const overheadBytesMax = 4 * 1_048_576

/** Of a whole request with a file, in bytes. */
export const bodyBytesMax = (limits: MediaLimits): number => fileBytesMax(limits) + overheadBytesMax
