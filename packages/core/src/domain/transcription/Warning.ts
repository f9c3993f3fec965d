/** Warnings about a transcribed recording: part of it was not transcribed, or not as requested. */
import { Schema } from "effect"
import { Millis } from "./Transcript.ts"

/** Tracks are numbered from 1, as in players. */
const Track = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The warnings that a decoder or an engine can report. */
export const Warning = Schema.TaggedUnion({
  /** The file has several audio tracks; only one was transcribed. */
  TracksIgnored: { trackCount: Track, track: Track },
  /** The file ends before the length that it declares. */
  AudioTruncated: { declaredMillis: Millis, readMillis: Millis },
  /** The channels cancel each other out when mixed, so only the loudest channel was transcribed. */
  ChannelsCancel: {},
  /** The transcribed track is silent; another track may contain audio. */
  Silent: { track: Track, soundingTrack: Schema.optionalKey(Track) },
  /** The request asked for speakers, but the engine did not tell them apart. */
  SpeakersUnknown: {}
})
export type Warning = typeof Warning.Type

const codes = {
  TracksIgnored: "tracks_ignored",
  AudioTruncated: "audio_truncated",
  ChannelsCancel: "channels_cancel",
  Silent: "silent",
  SpeakersUnknown: "speakers_unknown"
} as const satisfies Record<Warning["_tag"], string>

/** A warning, as responses show it. */
export const WarningView = Schema.Struct({
  code: Schema.Literals(Object.values(codes)),
  message: Schema.String
})
export type WarningView = typeof WarningView.Type

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`

const messageOf: (warning: Warning) => string = Warning.match({
  TracksIgnored: ({ track, trackCount }) =>
    `The file has ${trackCount} sound tracks; only track ${track} was transcribed`,
  AudioTruncated: ({ declaredMillis, readMillis }) =>
    `The file declares ${seconds(declaredMillis)} of audio; ${seconds(readMillis)} could be read`,
  ChannelsCancel: () =>
    "The channels cancel each other out when mixed; the loudest was transcribed alone",
  Silent: ({ soundingTrack, track }) =>
    soundingTrack === undefined
      ? "The audio is silent"
      : `Track ${track}, which was transcribed, is silent; track ${soundingTrack} is not`,
  SpeakersUnknown: () => "The engine did not tell speakers apart; the transcript has one speaker"
})

/** Converts a warning to its response form: a code and a sentence. */
export const toWarningView = (warning: Warning): WarningView => ({
  code: codes[warning._tag],
  message: messageOf(warning)
})
