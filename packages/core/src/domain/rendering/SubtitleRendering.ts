/**
 * Subtitle files made from cues: SubRip (`srt`), which every player reads, and WebVTT (`vtt`),
 * which browsers read and which names the speakers.
 */
import type { Transcript } from "../transcription/Transcript.ts"
import { type Cue, cues } from "./Cues.ts"
import { timecode } from "./Timecode.ts"

/** Renders the body of `srt`. If there is no speech, the body is empty. */
export const srt = (transcript: Transcript): string =>
  cues(transcript)
    .map((cue, index) => {
      const lines = cue.lines.map(plain).join("\n")
      return `${index + 1}\n${times(cue, ",")}\n${lines}\n\n`
    })
    .join("")

/**
 * Renders the body of `vtt` (W3C, WebVTT). If there is no speech, the body is only the first line.
 */
export const vtt = (transcript: Transcript): string => {
  const voices = new Map<string, string>()
  const voiceOf = (speaker: string): string => {
    const kept = voices.get(speaker)
    if (kept !== undefined) return kept
    const made = voice(speaker)
    voices.set(speaker, made)
    return made
  }
  const written = cues(transcript).map((cue) => {
    const lines = cue.lines.map(escapeText).join("\n")
    return `\n${times(cue, ".")}\n${voiceOf(cue.speaker)}${lines}\n`
  })
  return `WEBVTT\n${written.join("")}`
}

const times = ({ endMillis, startMillis }: Cue, mark: "." | ","): string =>
  `${timecode(startMillis, mark)} --> ${timecode(endMillis, mark)}`

/**
 * The voice span need not be closed, because it covers the whole cue. A speaker without a name gets
 * no voice span.
 */
const voice = (speaker: string): string => {
  const name = escapeText(speaker.replace(/\s+/gu, " ").trim())
  return name === "" ? "" : `<v ${name}>`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\0": "\ufffd"
}

/** WebVTT does not allow NUL, and its parsers read it as U+FFFD. */
const special = /[&<>\0]/g

const escapeText = (text: string): string => text.replace(special, (found) => entities[found] ?? "")

/** Text that a SubRip player would read as a time or a tag. The format has no escapes. */
const command = /--(?=>)|<(?=[/a-z])|\{(?=\\|[a-z]:)/gi

/** Inserts a space, which removes the special meaning and keeps every character. */
const plain = (text: string): string => text.replace(command, "$& ")
