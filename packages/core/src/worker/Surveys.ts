/**
 * Who works and what is owed, for people who look at it: they share the question, however many they
 * are and however often each of them asks.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { type Survey, WorkerRegistry, type WorkerRegistryError } from "../ports/WorkerRegistry.ts"
import { shareAnswer } from "../services/SharedAnswer.ts"

/** A survey looks at all that is owed; a page that shows it asks as often. */
const interval: Duration.Duration = Duration.seconds(2)

export class Surveys extends Context.Service<
  Surveys,
  {
    /** Everything at about one instant, at most two seconds ago. */
    readonly survey: Effect.Effect<Survey, WorkerRegistryError>
  }
>()("@verbatim/core/worker/Surveys") {
  /** Over the registry that all processes sign in. */
  static readonly layer: Layer.Layer<Surveys, never, WorkerRegistry> = Layer.effect(
    Surveys,
    Effect.map(WorkerRegistry, ({ survey }) =>
      Surveys.of({ survey: shareAnswer(survey, interval) })
    )
  )
}
