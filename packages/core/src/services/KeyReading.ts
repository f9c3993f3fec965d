/** Reads the idempotency key of a request about transcriptions. */
import { Effect, Option } from "effect"
import { type IdempotencyKey, parseKey } from "../domain/idempotency/IdempotencyKey.ts"
import { InvalidParameter } from "../domain/transcription/TranscriptionRefusal.ts"

const malformed = new InvalidParameter({
  parameter: "Idempotency-Key",
  detail: "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters"
})

/** Reads the header; none where it was not sent. */
export const readKey = (
  text: string | undefined
): Effect.Effect<Option.Option<IdempotencyKey>, InvalidParameter> => {
  if (text === undefined) return Effect.succeedNone
  const key = parseKey(text)
  return Option.isSome(key) ? Effect.succeed(key) : Effect.fail(malformed)
}
