/** What is kept of a request that a client may send again without making a second job. */
import { type DateTime, type Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { JobId } from "../attempt/Attempt.ts"
import { type IdempotencyKey, isCurrentKey } from "../idempotency/IdempotencyKey.ts"
import { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"

/** The first request under a key. It outlives its job, so that a repeat never makes another one. */
export interface IdempotencyRecord {
  readonly key: IdempotencyKey
  /** SHA-256, in hex, of the accepted request and its file. */
  readonly fingerprint: string
  readonly jobId: JobId
  readonly at: DateTime.Utc
}

/** Whether a record still stands for its request. */
export const isCurrentRecord = ({ at }: IdempotencyRecord, now: DateTime.Utc): boolean =>
  isCurrentKey(at, now)

// What makes two requests the same: the parameters as they were accepted, and the bytes of the
// file.

const encode = Schema.encodeSync(Schema.toCodecJson(TranscriptionRequest))

const encoder = new TextEncoder()

/** A file, by what it holds. */
interface Content {
  readonly digest: string | null
  readonly media: { readonly byteLength: number }
}

/** SHA-256 in hex. The request is built in one place, so that its keys have one order. */
export const fingerprint = (
  request: TranscriptionRequest,
  upload: Option.Option<Content>
): Effect.Effect<string, never, Digest.Digest> => {
  const file = Option.map(upload, ({ digest, media }) => [media.byteLength, digest])
  const text = JSON.stringify([encode(request), Option.getOrNull(file)])
  return Digest.Digest.use((service) => service.digestHex(Digest.sha256, encoder.encode(text)))
}
