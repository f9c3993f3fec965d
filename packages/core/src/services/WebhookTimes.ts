/** How long receivers of webhooks take, and what they answer. */
import { Clock, Effect, Exit } from "effect"
import { coreMetrics } from "../metrics/CoreMetrics.ts"
import type { WebhookAnswer } from "../ports/WebhookSender.ts"

const classes = { 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx" } as const

const isClass = (digit: number): digit is keyof typeof classes => digit in classes

/** The class of a status; what is not one counts as no answer. */
const answerOf = (exit: Exit.Exit<WebhookAnswer, unknown>) => {
  const digit = Exit.isSuccess(exit) ? Math.floor(exit.value.status / 100) : 0
  return isClass(digit) ? classes[digit] : "none"
}

/** Measures a request. One that the worker stops is not counted. */
export const measureAnswer = <E, R>(
  request: Effect.Effect<WebhookAnswer, E, R>
): Effect.Effect<WebhookAnswer, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const begun = clock.monotonicTimeNanosUnsafe()
    return Effect.onExit(request, (exit) => {
      if (Exit.hasInterrupts(exit)) return Effect.void
      const seconds = Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e9
      return coreMetrics.webhookDuration.record({ answer: answerOf(exit) }, seconds)
    })
  })
