/**
 * Builds the arguments for ffmpeg. Only the formats of accepted extensions are allowed, and only
 * the protocol for local files. A playlist or script disguised as a recording therefore cannot open
 * anything, and no other format can do harm.
 */
import { sampleRate } from "@verbatim/core/transcription"

/** Allowed input formats, by ffmpeg's names for them; `mov` is the whole MP4 family. */
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

const protocols = ["file"] as const

/** Bytes per sample: a signed 16-bit integer. */
export const sampleBytes = 2

/** Returns the number of bytes in the given hours of decoded audio. */
export const bytesOfHours = (hours: number): number => hours * 3_600 * sampleRate * sampleBytes

/**
 * Sample rate of the file used to compare the channels' loudness: voices are loudest below 1 kHz.
 */
export const balanceRate = 2_000

/** Maximum number of channels that ffmpeg mixes. */
export const channelMax = 64

/** The track, and optionally the channel, to decode. */
export interface Selection {
  /** Index of the audio track, from 0. */
  readonly track: number
  /** Index of a single channel, from 0; if missing, all channels are mixed. */
  readonly channel?: number
  /** Whether the WAV header's length is wrong and all bytes after the header are audio. */
  readonly isLengthIgnored?: boolean
}

/**
 * Mixes all channels with equal weights, regardless of the channels' number and names. The weights
 * sum to 1, so that no mix clips; weights of missing channels have no effect.
 */
const mix = `pan=mono|c0<${Array.from({ length: channelMax }, (_, each) => `c${each}`).join("+")}`

const single = (channel: number): string => `pan=mono|c0=c${channel}`

/** Returns the arguments that decode one audio track of a file to raw audio. */
export const decodeArguments = (request: {
  readonly input: string
  /** Destination of the audio: `pipe:1`, or a path. */
  readonly output: string
  readonly byteMax: number
  /** Destination of the packet timestamps, a name without `|` and brackets. */
  readonly index: string
  /** Destination of all separate channels, as a WAV file. */
  readonly balance: string
  readonly selection: Selection
}): ReadonlyArray<string> => {
  const { byteMax, selection } = request
  const source = ["-map", `0:a:${selection.track}`, "-map_metadata", "-1"]
  const channels = selection.channel === undefined ? mix : single(selection.channel)
  // Decoding stops one sample after the limit, to distinguish audio that is too long from audio
  // that fits.
  const end = `atrim=end_sample=${Math.floor(byteMax / sampleBytes) + 1}`
  return [
    // ffmpeg's description of the input is parsed (`Description.ts`).
    ...["-nostdin", "-hide_banner", "-nostats", "-v", "info"],
    // With this error limit, ffmpeg still decodes all readable audio in damaged media.
    ...["-max_error_rate", "1"],
    ...["-protocol_whitelist", protocols.join(",")],
    ...["-format_whitelist", formats.join(",")],
    // Placed before the input, these options prevent ffmpeg from reading video and subtitles.
    ...["-vn", "-sn", "-dn", "-threads", "1"],
    ...(selection.isLengthIgnored === true ? ["-ignore_length", "1"] : []),
    // The explicit `file:` prevents the path from being read as an option or another protocol.
    ...["-i", `file:${request.input}`],
    ...[...source, "-af", `${channels},aresample=${sampleRate},${end}`],
    ...["-c:a", "pcm_s16le", "-f", "tee"],
    `[f=s16le:onfail=abort]${request.output}|[f=framecrc:onfail=abort]${request.index}`,
    ...[...source, ...balanceArguments(request.balance, byteMax)]
  ]
}

/**
 * Returns the arguments for the file with all channels. The file ends with the audio, unless a
 * recording with more than four channels exceeds the maximum length. A short filter is good enough
 * to measure loudness; with the default filter, decoding with WebAssembly takes twice as long.
 */
const balanceArguments = (path: string, byteMax: number): ReadonlyArray<string> => [
  ...["-af", `aresample=${balanceRate}:filter_size=4,atrim=end_sample=${balanceSamples(byteMax)}`],
  ...["-fs", String(Math.ceil(byteMax / 2))],
  ...["-c:a", "pcm_s16le", "-fflags", "+bitexact", "-f", "wav", path]
]

const balanceSamples = (byteMax: number): number =>
  Math.ceil((byteMax * balanceRate) / (sampleBytes * sampleRate)) + 1
