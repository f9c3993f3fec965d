/**
 * Parses ffmpeg's log about an input file. The file controls some of that text, so lines must have
 * a strict form, and only numbers and flags are read. A forged line changes only the file's own
 * transcript, never an argument or a limit.
 */

interface Track {
  readonly isDefault: boolean
  /** Whether ffmpeg knows the track's codec. */
  readonly isKnown: boolean
  /** The number of channels, if it is higher than in any usual layout. */
  readonly channelCount?: number
}

/** The audio tracks and declared properties of a media file. */
export interface Description {
  /** The first of ffmpeg's names for the format. */
  readonly format: string
  /** The declared length in seconds, or undefined if it is unknown or estimated. */
  readonly declared?: number
  /** When the first stream begins, in seconds. The decoded audio begins at this time. */
  readonly start: number
  readonly tracks: ReadonlyArray<Track>
  /** Whether the file has other streams with their own length: video or further audio. */
  readonly hasOthers: boolean
}

/**
 * Minimum number of seconds missing from a truncated file. A smaller difference may be an encoder's
 * padding or an unfinished last frame.
 */
const missingSecondsMin = 1
const missingShareMin = 0.01

/**
 * Minimum leading silence in seconds. Shorter silence is ignored, as short gaps are
 * (`SoundFiles.ts`).
 */
const leadSecondsMin = 0.1

/** Whether the decoded audio is about as long as the given number of seconds, or longer. */
export const isAboutAsLong = (read: number, seconds: number): boolean =>
  seconds - read <= Math.max(missingSecondsMin, seconds * missingShareMin)

/**
 * Returns the seconds of silence before the first packet, if the declared length includes this
 * silence. Pieces of a stream also begin late, but the declared length of a piece does not include
 * the gap.
 */
export const leadingSilence = (
  { declared = 0, hasOthers, start }: Description,
  read: number
): number => {
  if (hasOthers || start < leadSecondsMin || declared - read < start / 2) return 0
  return isAboutAsLong(read, declared - start) && isAboutAsLong(declared - start, read) ? start : 0
}

/** The input's properties as given in ffmpeg's log, and ffmpeg's error messages. */
export interface Report {
  readonly description?: Description
  /** ffmpeg's error messages, without the file's own metadata. */
  readonly complaints: string
  /** Whether ffmpeg wrote all of this text itself, so that no part can come from the file. */
  readonly isOwn: boolean
}

const streamLine = /^ {2,4}Stream #0:\d+(?:\[0x[0-9a-f]+\])?(?:\([^()]*\))?: (Audio|Video): (.*)$/

const durationLine = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d\d)(?:, start: (\d+\.\d+))?/

const toTrack = (text: string): Track => {
  const [, channels] = /, (\d{1,6}) channels\b/.exec(text) ?? []
  return {
    isDefault: text.includes("(default)"),
    isKnown: !/^(?:none|unknown)\b/.test(text),
    ...(channels !== undefined && { channelCount: Number(channels) })
  }
}

const describe = (lines: ReadonlyArray<string>, isGuessed: boolean): Description => {
  const [, format = ""] = /^Input #0, ([a-z0-9_]+)/.exec(lines[0] ?? "") ?? []
  const streams = lines.flatMap((line) => {
    const [, kind, text = ""] = streamLine.exec(line) ?? []
    return kind === undefined ? [] : [{ kind, text }]
  })
  const tracks = streams.flatMap(({ kind, text }) => (kind === "Audio" ? [toTrack(text)] : []))
  const videos = streams.filter(
    ({ kind, text }) => kind === "Video" && !text.includes("(attached pic)")
  )
  const [, hours, minutes, seconds, start = 0] =
    lines.map((line) => durationLine.exec(line)).find((found) => found !== null) ?? []
  const declared = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  return {
    format,
    tracks,
    start: Number(start),
    hasOthers: videos.length + tracks.length > 1,
    ...(declared > 0 && !isGuessed && { declared })
  }
}

/** Whether a log line is about output or progress. */
const isReport = (line: string): boolean => /^(?:\s|Output #|size=|video:|$)/.test(line)

/** Parses ffmpeg's log. Outputs are named with a nonce that the file's author cannot know. */
export const readLog = (log: string, nonce: string): Report => {
  const lines = log.split(/\r?\n|\r/)
  const input = lines.findIndex((line) => line.startsWith("Input #0, "))
  if (input === -1) return { complaints: log, isOwn: true }
  const mapping = lines.findIndex((line) => line.startsWith("Stream mapping:"))
  // All text from the media file comes before this line of the log.
  const output = lines.findIndex((line) => line.startsWith("Output #") && line.includes(nonce))
  const isOwn = output > input
  const before = lines.slice(0, input)
  const rest = lines.slice((isOwn ? output : input) + 1)
  const isGuessed = before.some((line) => line.includes("Estimating duration from bitrate"))
  return {
    description: describe(lines.slice(input, mapping === -1 ? lines.length : mapping), isGuessed),
    complaints: [...before, ...rest.filter((line) => !isReport(line))].join("\n"),
    isOwn
  }
}
