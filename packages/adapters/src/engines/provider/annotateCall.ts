/** Describes a call to a model on the current span, under OpenTelemetry's names. */
import { Effect } from "effect"

/** A call to a model of a provider. */
export interface ModelCall {
  readonly operation: "chat" | "transcription"
  readonly provider: string
  readonly model: string
}

/** Adds a call's operation, provider and model to the current span. */
export const annotateCall = ({ model, operation, provider }: ModelCall): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model
  })
