/**
 * What makes two requests the same: the parameters as they were accepted, and the bytes of the
 * file.
 */
import { type Effect, Option, Schema } from "effect"
import { Digest } from "effect/crypto"
import { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"

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
