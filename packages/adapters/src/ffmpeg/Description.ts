/**
 * What ffmpeg says of a file that it opened. The file wrote some of that text itself. So lines are
 * taken by their strict form, and only numbers and flags out of them: a file that forges one
 * changes its own transcript, never an argument or a limit.
 */

/** One sound track. */
interface Track {
  readonly isDefault: boolean
  /** Whether ffmpeg knows how it is coded. */
  readonly isKnown: boolean
  /** Where there are more than usual layouts have. */
  readonly channelCount?: number
}

/** What a file holds. */
export interface Description {
  /** The first of the names that ffmpeg has for the format. */
  readonly format: string
  /** In seconds. Left out where it is a guess, or not said. */
  readonly declared?: number
  /** When the first of its streams begins, in seconds. The audio that is decoded begins with it. */
  readonly start: number
  readonly tracks: ReadonlyArray<Track>
  /** Whether it has anything else that has a length of its own: film, or other sound. */
  readonly hasOthers: boolean
}

/** Less may be the padding of an encoder, or the frame that a writer did not finish. */
const missingSecondsMin = 1
const missingShareMin = 0.01

/** As with holes (`Timeline.ts`). */
const leadSecondsMin = 0.1

/** Whether audio is about as long as that, in seconds, or longer. */
export const lasts = (read: number, seconds: number): boolean =>
  seconds - read <= Math.max(missingSecondsMin, seconds * missingShareMin)

/**
 * How long a recording is silent before its first packet: its declared length then holds that time
 * as well. Pieces of a stream also begin late, but declare no more than they hold.
 */
export const leadOf = ({ declared = 0, hasOthers, start }: Description, read: number): number => {
  if (hasOthers || start < leadSecondsMin || declared - read < start / 2) return 0
  return lasts(read, declared - start) && lasts(declared - start, read) ? start : 0
}

/** What ffmpeg said, taken apart. */
export interface Report {
  readonly description?: Description
  /** What it complained about, without what the file says of itself. */
  readonly complaints: string
  /** Whether none of it can have come from the file. */
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
  const films = streams.filter(
    ({ kind, text }) => kind === "Video" && !text.includes("(attached pic)")
  )
  const [, hours, minutes, seconds, start = 0] =
    lines.map((line) => durationLine.exec(line)).find((found) => found !== null) ?? []
  const declared = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  return {
    format,
    tracks,
    start: Number(start),
    hasOthers: films.length + tracks.length > 1,
    ...(declared > 0 && !isGuessed && { declared })
  }
}

/** Lines about output, and about how far it got. */
const isReport = (line: string): boolean => /^(?:\s|Output #|size=|video:|$)/.test(line)

/** Takes apart what ffmpeg said. Its outputs are named after a word that no file can know. */
export const readLog = (log: string, mark: string): Report => {
  const lines = log.split(/\r?\n|\r/)
  const input = lines.findIndex((line) => line.startsWith("Input #0, "))
  if (input === -1) return { complaints: log, isOwn: true }
  const mapping = lines.findIndex((line) => line.startsWith("Stream mapping:"))
  // What the file says of itself comes before this.
  const output = lines.findIndex((line) => line.startsWith("Output #") && line.includes(mark))
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
