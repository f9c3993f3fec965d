/**
 * What a look at one thing found, and how things are looked at: side by side, each in its own time,
 * so that one that hangs holds up no other.
 */
import { Duration, Effect, Fiber, Option } from "effect"
import { withoutSecrets } from "../command/Refusal.ts"

/** `failed` keeps the server from its work; a `warning` may do so one day. */
type Verdict = "ok" | "warning" | "failed"

/** One line for the operator: what was looked at, and why it is so and what to do. */
export interface Finding {
  readonly verdict: Verdict
  readonly what: string
  readonly why: string
}

/** What is found about one thing, or several that are found together. */
type Look = Effect.Effect<ReadonlyArray<Finding>, unknown>

/** Something to look at. */
export interface Check {
  readonly what: string
  readonly look: Look
}

const make =
  (verdict: Verdict) =>
  (what: string, why: string): Finding => ({ verdict, what, why: withoutSecrets(why) })

/** It is as it should be. */
export const ok = make("ok")

/** It works, and somebody should look at it. */
export const warning = make("warning")

/** It keeps the server from its work. */
export const failed = make("failed")

/** A network that drops packets answers to nothing for minutes; an operator waits for this long. */
const patience = Duration.seconds(10)

/** Looks at one thing. What hangs is left behind: cancelling it may hang as well. */
const examine = ({ look, what }: Check): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.flatMap(Effect.forkDetach(look), (looking) =>
    Effect.timeoutOption(Fiber.await(looking), patience)
  ).pipe(
    Effect.map(
      Option.match({
        onNone: () => [failed(what, `no answer within ${Duration.format(patience)}`)],
        onSome: (exit) =>
          exit._tag === "Success"
            ? exit.value
            : [failed(what, "the look at it failed in a way that Verbatim does not know")]
      })
    )
  )

/** Looks at everything, and tells what was found in the order of the checks. */
export const examineAll = (checks: ReadonlyArray<Check>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.map(Effect.forEach(checks, examine, { concurrency: "unbounded" }), (all) => all.flat())
