/**
 * Port: converts accepted media to plain audio (16 kHz, one channel, 16-bit signed little-endian
 * samples).
 */

import { Context, type Effect, Schema, type Scope } from "effect"
import { Failure } from "../domain/attempt/Failure.ts"
import { describeReason, refusal } from "../domain/schema/Refusal.ts"
import type { DecodedAudio } from "../domain/transcription/DecodedAudio.ts"
import type { LocalMedia } from "../domain/transcription/MediaKey.ts"
import type { Tracks } from "../domain/transcription/TranscriptionRequest.ts"
import type { SampleRange } from "./Transcriber.ts"

const { AudioMissing, AudioTooLong, EngineUnavailable, MediaUndecodable, StorageFailed } =
  Failure.cases

/** The reason why media could not be decoded. */
export class AudioDecoderError extends refusal<AudioDecoderError>()("AudioDecoderError", {
  fields: {
    reason: Schema.Union([
      MediaUndecodable,
      AudioMissing,
      AudioTooLong,
      EngineUnavailable,
      StorageFailed
    ])
  },
  sentence: describeReason
}) {}

export class AudioDecoder extends Context.Service<
  AudioDecoder,
  {
    /**
     * Decodes the chosen audio tracks (by default, `default`) into a temporary file that exists
     * until the scope closes. The length is that of the decoded samples, including silence that the
     * container declares; media without a single sample fails with `AudioMissing`. The decoder
     * opens only the media: no other file, and no network connection. Interruption stops the
     * decoder immediately.
     */
    readonly decode: (
      media: LocalMedia,
      tracks?: Tracks
    ) => Effect.Effect<DecodedAudio, AudioDecoderError, Scope.Scope>
    /**
     * Returns the hex SHA-256 of a range of decoded samples. If the decoder lacks this method,
     * piece results are reused only within one job.
     */
    readonly digest?: (
      audio: DecodedAudio,
      range: SampleRange
    ) => Effect.Effect<string, AudioDecoderError>
  }
>()("@verbatim/core/ports/AudioDecoder") {}
