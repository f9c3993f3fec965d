/**
 * What ffmpeg is told. Its lists are closed: the formats are those of the accepted extensions, and
 * the only protocol opens local files. So a playlist or a script that calls itself a recording
 * opens nothing, and a format that nobody needs opens no door.
 */
import { sampleRate } from "@verbatim/core/transcription"

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

/** Samples per second and channel of the balance: voices are loudest below 1 kHz. */
export const balanceRate = 2_000

/** The most channels that ffmpeg mixes. */
export const channelMax = 64

/** Which part of a recording is decoded. */
export interface Selection {
  /** Of its sound tracks, counted from 0. */
  readonly track: number
  /** One channel alone, counted from 0; all of them, mixed, where it is left out. */
  readonly channel?: number
  /** The length in the header of a WAV file is wrong: everything after it is sound. */
  readonly isLengthIgnored?: boolean
}

/**
 * All channels with one weight, however many there are and whatever they are called. The weights
 * sum to 1, so that no mix is cut off at full scale; those of channels that are not there are void.
 */
const mix = `pan=mono|c0<${Array.from({ length: channelMax }, (_, each) => `c${each}`).join("+")}`

const single = (channel: number): string => `pan=mono|c0=c${channel}`

/** The arguments that turn one sound track of a file into plain audio. */
export const decodeArguments = (request: {
  readonly input: string
  /** Where the audio goes: `pipe:1`, or a path. */
  readonly output: string
  readonly byteMax: number
  /** Where the time of each packet goes. Neither `|` nor a bracket may be in it. */
  readonly index: string
  /** Where all channels go on their own, as a WAV file. */
  readonly balance: string
  readonly selection: Selection
}): ReadonlyArray<string> => {
  const { byteMax, selection } = request
  const source = ["-map", `0:a:${selection.track}`, "-map_metadata", "-1"]
  const channels = selection.channel === undefined ? mix : single(selection.channel)
  // It stops at the limit: one extra sample tells audio that is too long from audio that fits.
  const end = `atrim=end_sample=${Math.floor(byteMax / sampleBytes) + 1}`
  return [
    // Its description of the input is read (`Description.ts`).
    ...["-nostdin", "-hide_banner", "-nostats", "-v", "info"],
    // Damaged media yields whatever sound can be saved, however little.
    ...["-max_error_rate", "1"],
    ...["-protocol_whitelist", protocols.join(",")],
    ...["-format_whitelist", formats.join(",")],
    // Placed before the input, these keep film and subtitles from being read at all.
    ...["-vn", "-sn", "-dn", "-threads", "1"],
    ...(selection.isLengthIgnored === true ? ["-ignore_length", "1"] : []),
    // The protocol is written out: the path is never read as an option or as another protocol.
    ...["-i", `file:${request.input}`],
    ...[...source, "-af", `${channels},aresample=${sampleRate},${end}`],
    ...["-c:a", "pcm_s16le", "-f", "tee"],
    `[f=s16le:onfail=abort]${request.output}|[f=framecrc:onfail=abort]${request.index}`,
    ...[...source, ...balanceArguments(request.balance, byteMax)]
  ]
}

/**
 * Ends with the audio, or at a length that only more than four channels can have. A short filter
 * tells loud from quiet just as well; the usual one makes decoding with WebAssembly take twice as
 * long.
 */
const balanceArguments = (path: string, byteMax: number): ReadonlyArray<string> => [
  ...["-af", `aresample=${balanceRate}:filter_size=4,atrim=end_sample=${balanceSamples(byteMax)}`],
  ...["-fs", String(Math.ceil(byteMax / 2))],
  ...["-c:a", "pcm_s16le", "-fflags", "+bitexact", "-f", "wav", path]
]

const balanceSamples = (byteMax: number): number =>
  Math.ceil((byteMax * balanceRate) / (sampleBytes * sampleRate)) + 1
