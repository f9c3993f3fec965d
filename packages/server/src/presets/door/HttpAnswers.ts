/**
 * How answers of the HTTP API are read: what they hold beside what is known is passed over.
 */
import { Effect, Schema } from "effect"
import { DoorRefusal } from "./PresetDoor.ts"

const unreadable = new DoorRefusal({
  reason: "Refused",
  sentence: "The answer of the server could not be read: its version may be another one"
})

/** Reads an answer. */
export const readAs =
  <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  <R>(calling: Effect.Effect<unknown, DoorRefusal, R>) =>
    Effect.flatMap(calling, (answer) =>
      Effect.mapError(Schema.decodeUnknownEffect(schema)(answer), () => unreadable)
    )

/** What most answers hold their content in. */
export const answerOf = <S extends Schema.Constraint>(data: S) => Schema.Struct({ data })
