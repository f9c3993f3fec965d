/** What a caller knows of a recording and an engine may be told: in words, and in numbers. */
import { Schema } from "effect"
import { isStorable } from "../schema/StorableText.ts"

/** Of an initial prompt, in code points. Engines read far less of it (Whisper: 224 tokens). */
export const promptLengthMax = 4096

/** Whether a prompt is one. */
export const isPrompt = (value: unknown): boolean =>
  typeof value === "string" &&
  // A code point is at most two units, so a huge text is refused before it is counted.
  value.length <= 2 * promptLengthMax &&
  Array.from(value).length <= promptLengthMax &&
  isStorable(value)

/** As many as any engine takes (ElevenLabs: 32). */
export const speakerMax = 32

/** Whether so many voices can be told apart. */
export const isSpeakerCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= speakerMax

/** A number as a form writes it. */
export const isDigits = (value: unknown): boolean =>
  typeof value === "string" && /^[1-9][0-9]?$/.test(value)

/**
 * Which sound tracks of a file are heard: the one marked as default, else the first; all of them
 * mixed; or each of them as one speaker.
 */
export const Tracks = Schema.Literals(["default", "mix", "speakers"])
export type Tracks = typeof Tracks.Type
