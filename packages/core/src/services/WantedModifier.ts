/** The modifier of a result as a caller wrote it, or a refusal that repeats it in part. */
import { Effect, Option, Schema } from "effect"
import { Modifier } from "../domain/transcription/Modifier.ts"
import { InvalidParameter } from "../domain/transcription/TranscriptionRefusal.ts"

const decode = Schema.decodeUnknownOption(Modifier)

/** Longest part of a wrong modifier that is repeated to the caller. */
const shownMax = 100

/** Reads a modifier. */
export const readModifier = (text: string): Effect.Effect<Modifier, InvalidParameter> => {
  const modifier = decode(text)
  if (Option.isSome(modifier)) return Effect.succeed(modifier.value)
  const detail = `Invalid modifier: ${text.slice(0, shownMax).toWellFormed()}`
  return Effect.fail(new InvalidParameter({ parameter: "modifier", detail }))
}
