/**
 * The names of models as OpenAI's clients read them, each with the engine behind it.
 */
import { Schema } from "effect"

/** A name under which a transcription may be asked for. */
export const SpeechModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: Schema.Int.annotate({ description: "Seconds since 1970; 0 where nobody counts." }),
  owned_by: Schema.String,
  engine: Schema.NullOr(Schema.String).annotate({
    description: "The engine that does the work now; null where this process knows of none."
  })
}).annotate({ identifier: "SpeechModel" })
export type SpeechModel = typeof SpeechModel.Type

/** All names. */
export const SpeechModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(SpeechModel)
}).annotate({ identifier: "SpeechModelList" })
export type SpeechModelList = typeof SpeechModelList.Type

/** Shows a name. */
export const toModel = (id: string, engine: string | null): SpeechModel => ({
  id,
  object: "model",
  created: 0,
  owned_by: "verbatim",
  engine
})
