/**
 * Keeps what is asked and what comes back, with the interval in which it happened. Some callers go
 * before they are answered, as callers do.
 */
import { Cause, Duration, Effect, Exit } from "effect"
import type { Outcome } from "../../model/Linear.ts"
import { presetRefusals } from "../../model/PresetModel.ts"
import type { Dice } from "../../simulation/clock/Seed.ts"
import type { Answers, Ask, Questions, Recorded } from "./Question.ts"

/** Reasons with which a port, or a service, promises that nothing was written. */
const refusals: ReadonlySet<string> = new Set([
  "Superseded",
  "Contended",
  "Archived",
  "KeyTaken",
  "WorkspaceMissing",
  "Unreadable",
  // What the check makes of a late move that is superseded.
  "NotWritten",
  ...presetRefusals
])

/** The share of callers that do not wait for their answer. */
const impatientShare = 0.01

/** How long these wait, in milliseconds: about as long as most answers take. */
const patienceMillisMax = 12

/** Milliseconds on the one monotonic clock of the machine, which all of its processes share. */
const clockMillis = (): number => {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1_000 + nanos / 1_000_000
}

interface ErrorShape {
  readonly _tag?: unknown
  readonly reason?: { readonly _tag?: unknown }
  readonly cause?: unknown
}

/** Why it failed: the reason of the port, or that of a lower layer when the port knows none. */
const reasonOf = (error: unknown): string => {
  const { _tag, cause, reason } = (
    typeof error === "object" && error !== null ? error : {}
  ) as ErrorShape
  if (typeof _tag === "string" && refusals.has(_tag)) return _tag
  const isRefusal = typeof reason?._tag === "string" && refusals.has(reason._tag)
  if (cause !== undefined && !isRefusal) return reasonOf(cause)
  return typeof reason?._tag === "string" ? reason._tag : String(error)
}

const outcomeOf = <A>(exit: Exit.Exit<A, unknown>): Outcome<A> => {
  if (Exit.isSuccess(exit)) return { is: "answered", answer: exit.value }
  if (Cause.hasInterruptsOnly(exit.cause)) return { is: "unknown", cause: "the caller went" }
  const reason = reasonOf(Cause.squash(exit.cause))
  return refusals.has(reason) ? { is: "refused", reason } : { is: "unknown", cause: reason }
}

/** How a fiber asks. */
export interface Caller {
  readonly name: string
  readonly dice: Dice
  /** Whether it stays, however long an answer takes. */
  readonly isPatient?: boolean
}

/** Where numbers come from: nobody else in the round draws the same ones. */
export interface Numbering {
  readonly from: number
  readonly step: number
}

export class Recorder {
  readonly records: Array<Recorded> = []
  readonly #step: number
  #next: number

  constructor({ from, step }: Numbering) {
    this.#next = from
    this.#step = step
  }

  /** A number for a question, a job, a token or a version: each stands for one thing. */
  number(): number {
    const number = this.#next
    this.#next += this.#step
    return number
  }

  /** Asks, and keeps the record. Never fails: what went wrong is the outcome. */
  record<A extends Ask>(
    { dice, isPatient = false, name }: Caller,
    {
      answer,
      ask,
      id,
      question
    }: {
      readonly ask: A
      readonly question: Questions[A]
      readonly answer: Effect.Effect<Answers[A], unknown>
      /** Drawn earlier, when the question carries it. */
      readonly id?: number
    }
  ): Effect.Effect<Outcome<Answers[A]>> {
    const asked =
      !isPatient && dice.chance(impatientShare)
        ? Effect.raceFirst(
            answer,
            Effect.andThen(
              Effect.sleep(Duration.millis(dice.next() * patienceMillisMax)),
              Effect.interrupt
            )
          )
        : answer
    return Effect.suspend(() => {
      const number = id ?? this.number()
      const invoked = clockMillis()
      // A store in memory never waits: without this its callers would never meet.
      return Effect.map(Effect.exit(Effect.andThen(Effect.yieldNow, asked)), (exit) => {
        const outcome = outcomeOf(exit)
        const record = {
          id: number,
          ask,
          question,
          outcome,
          invoked,
          returned: clockMillis(),
          by: name
        }
        this.records.push(record as unknown as Recorded)
        return outcome
      })
    })
  }
}
