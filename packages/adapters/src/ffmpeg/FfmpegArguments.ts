/**
 * What ffmpeg is told. Its lists are closed: the formats are those of the accepted extensions, and
 * the only protocol opens local files. So a playlist or a script that calls itself a recording
 * opens nothing, and a format that nobody needs opens no door.
 */
import { balanceRate, sampleRate } from "@verbatim/core/transcription"

/** Formats that may be read, by the names ffmpeg gives them; `mov` is all of the MP4 family. */
const formats = [
  "aac",
  "asf",
  "avi",
  "flac",
  "flv",
  "matroska",
  "mov",
  "mp3",
  "ogg",
  "wav"
] as const

/** Protocols by which input may be read. */
const protocols = ["file"] as const

/** Bytes of one sample: signed 16 bit. */
export const sampleBytes = 2

/** The bytes of whole hours of decoded audio. */
export const bytesOfHours = (hours: number): number => hours * 3_600 * sampleRate * sampleBytes

/** The arguments that turn the first sound track of a file into plain audio. */
export const decodeArguments = (request: {
  readonly input: string
  /** Where the audio goes: `pipe:1`, or a path. */
  readonly output: string
  readonly byteMax: number
  /** Where both channels go on their own; nowhere when left out. */
  readonly balance?: string
}): ReadonlyArray<string> => [
  ...["-nostdin", "-hide_banner", "-v", "error"],
  // Damaged media yields whatever sound can be saved, however little.
  ...["-max_error_rate", "1"],
  ...["-protocol_whitelist", protocols.join(",")],
  ...["-format_whitelist", formats.join(",")],
  // Placed before the input, these keep film and subtitles from being read at all.
  ...["-vn", "-sn", "-dn", "-threads", "1"],
  // The protocol is written out: the path is never read as an option or as another protocol.
  ...["-i", `file:${request.input}`],
  ...["-map", "0:a:0", "-ac", "1", "-ar", String(sampleRate)],
  // It stops at the limit: one extra sample tells audio that is too long from audio that fits.
  ...["-fs", String(request.byteMax + sampleBytes)],
  ...["-f", "s16le", request.output],
  ...(request.balance === undefined ? [] : balanceArguments(request.balance, request.byteMax))
]

/**
 * The same length as the audio, in two channels. A short filter tells loud from quiet just as well;
 * the usual one makes decoding with WebAssembly take twice as long.
 */
const balanceArguments = (path: string, byteMax: number): ReadonlyArray<string> => [
  ...["-map", "0:a:0", "-ac", "2", "-af", `aresample=${balanceRate}:filter_size=4`],
  ...["-fs", String(Math.ceil((byteMax * 2 * balanceRate) / sampleRate) + 2 * sampleBytes)],
  ...["-f", "s16le", `file:${path}`]
]
