/** Records of requests, which let a client retry a request without creating a second job. */
import { type DateTime, type Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { JobId } from "../attempt/Attempt.ts"
import { type IdempotencyKey, isCurrentKey } from "../idempotency/IdempotencyKey.ts"
import { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"

/**
 * The first request with an idempotency key. The record outlives the job, so that a retry never
 * creates another job.
 */
export interface IdempotencyRecord {
  readonly key: IdempotencyKey
  /** Hex SHA-256 of the accepted request and its file. */
  readonly fingerprint: string
  readonly jobId: JobId
  readonly at: DateTime.Utc
}

/** Whether an idempotency record is recent enough to apply to a retry. */
export const isCurrentRecord = ({ at }: IdempotencyRecord, now: DateTime.Utc): boolean =>
  isCurrentKey(at, now)

// Two requests are the same if their accepted parameters and the bytes of their files are the same.

const encode = Schema.encodeSync(Schema.toCodecJson(TranscriptionRequest))

const encoder = new TextEncoder()

/** The digest and the length of a file. */
interface Content {
  readonly digest: string | null
  readonly media: { readonly byteLength: number }
}

/**
 * Returns the hex SHA-256 of a request. All requests are built by the same function, so their keys
 * always have the same order.
 */
export const fingerprint = (
  request: TranscriptionRequest,
  upload: Option.Option<Content>
): Effect.Effect<string, never, Digest.Digest> => {
  const file = Option.map(upload, ({ digest, media }) => [media.byteLength, digest])
  const text = JSON.stringify([encode(request), Option.getOrNull(file)])
  return Digest.Digest.use((service) => service.digestHex(Digest.sha256, encoder.encode(text)))
}
