/**
 * One version of the corrections of a transcript: who made it, when, and what it changed. Versions
 * are numbered from 1 without gaps, and never change.
 */
import { Schema } from "effect"
import { JobId } from "../attempt/JobId.ts"
import { IdempotencyKey } from "../idempotency/IdempotencyKey.ts"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { UserId } from "../workspace/Workspace.ts"
import { SegmentReading, SpeakerNaming } from "./Overlay.ts"

/** Made by whoever writes a version, so that a write whose answer is lost counts once. */
export const CorrectionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CorrectionId"))
export type CorrectionId = typeof CorrectionId.Type

/** 0 where nothing was ever corrected, then 1, 2, 3, … */
export const CorrectionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The request that made a version, for a client that sends it again. */
export const CorrectionRequest = Schema.Struct({ key: IdempotencyKey, fingerprint: Schema.String })
export type CorrectionRequest = typeof CorrectionRequest.Type

/** A version without the segments that it changed. */
export const CorrectionVersion = Schema.Struct({
  id: CorrectionId,
  jobId: JobId,
  version: CorrectionNumber.check(Schema.isGreaterThanOrEqualTo(1)),
  at: Schema.DateTimeUtcFromMillis,
  userId: UserId,
  /** Null where a host wrote it, which has no key. */
  keyId: Schema.NullOr(ApiKeyId),
  /** The version that it equals, where it went back to one. */
  backTo: Schema.NullOr(CorrectionNumber),
  /** The speakers that it named, or whose names it took. */
  speakers: Schema.Array(SpeakerNaming),
  /** How many segments it changed. */
  segmentCount: CorrectionNumber,
  request: Schema.NullOr(CorrectionRequest)
})
export type CorrectionVersion = typeof CorrectionVersion.Type

/** A version with everything that it changed. */
export const WholeVersion = Schema.Struct({
  ...CorrectionVersion.fields,
  segments: Schema.Array(SegmentReading)
})
export type WholeVersion = typeof WholeVersion.Type
