/**
 * Records each call with its answer, start and end. Like real callers, some leave before they get
 * the answer.
 */
import { Cause, Duration, Effect, Exit } from "effect"
import type { Outcome } from "../../model/Linear.ts"
import { presetRefusals } from "../../model/PresetModel.ts"
import type { Dice } from "../../simulation/clock/Seed.ts"
import type { Answers, CallName, Calls, Recorded } from "./CallRecord.ts"

/** Refusals that prove that nothing was written. */
const refusals: ReadonlySet<string> = new Set([
  "Superseded",
  "Contended",
  "Archived",
  "KeyTaken",
  "WorkspaceMissing",
  "Unreadable",
  // The check's own error for a late label move after another change to the preset.
  "NotWritten",
  ...presetRefusals
])

/** Share of callers that leave before they get a response. */
const impatientShare = 0.01

/** Milliseconds after which a caller can leave early, about as long as most responses take. */
const patienceMillisMax = 12

/** Returns milliseconds on the monotonic clock that all processes on the machine share. */
const clockMillis = (): number => {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1_000 + nanos / 1_000_000
}

interface ErrorShape {
  readonly _tag?: unknown
  readonly reason?: string | { readonly _tag?: unknown }
  readonly cause?: unknown
}

/**
 * Returns why a call failed: the port's reason, or a lower layer's reason if the port gives none.
 */
const reasonOf = (error: unknown): string => {
  const { _tag, cause, reason } = (
    typeof error === "object" && error !== null ? error : {}
  ) as ErrorShape
  if (typeof _tag === "string" && refusals.has(_tag)) return _tag
  if (typeof reason === "string") return reason
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

/** The fiber that makes the recorded calls. */
export interface Caller {
  readonly name: string
  readonly dice: Dice
  /** Whether the fiber waits for every answer. */
  readonly isPatient?: boolean
}

/** The first number that this fiber can use in the round, and the step to the next one. */
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

  /** Returns a new number for a call, a job, a token or a version. */
  number(): number {
    const number = this.#next
    this.#next += this.#step
    return number
  }

  /** Makes and records a call. Never fails: an error is recorded as the outcome. */
  record<A extends CallName>(
    { dice, isPatient = false, name }: Caller,
    {
      answer,
      call,
      id,
      input
    }: {
      readonly call: A
      readonly input: Calls[A]
      readonly answer: Effect.Effect<Answers[A], unknown>
      /** The call's number, if it has been drawn already because the call's input contains it. */
      readonly id?: number
    }
  ): Effect.Effect<Outcome<Answers[A]>> {
    const attempted =
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
      // Without this yield, callers of an in-memory store would not overlap, because such a store
      // never waits.
      return Effect.map(Effect.exit(Effect.andThen(Effect.yieldNow, attempted)), (exit) => {
        const outcome = outcomeOf(exit)
        const record = {
          id: number,
          call,
          input,
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
