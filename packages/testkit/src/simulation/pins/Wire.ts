/**
 * The way to the registry and back: questions and answers travel for any time, get lost, come late
 * and in any order, and in a partition nothing arrives at all.
 */
import type { PinSource } from "@verbatim/resolution/pins"
import type { Dice } from "../clock/Seed.ts"
import type { Agenda } from "./Agenda.ts"
import type { Life, Machine } from "./Machine.ts"
import type { Registry } from "./Registry.ts"

/** A question that the network did not bring back in time. */
export interface Fault {
  readonly reference: string
  readonly from: number
  /** When it was given up. */
  to: number
}

/** An answer that there is nothing. */
export interface Absence {
  readonly reference: string
  /** When the registry said so, and when it arrived. */
  readonly readAt: number
  readonly arrivedAt: number
}

/** The network. */
export interface Wire {
  readonly sourceOf: (life: Life) => PinSource
  readonly partition: (millis: number) => void
  readonly heal: () => void
  readonly faults: ReadonlyArray<Fault>
  readonly absences: ReadonlyArray<Absence>
  readonly questions: () => number
}

/** Where one question goes wrong. */
type Trouble = "none" | "refused" | "question lost" | "answer lost" | "silence"

const troubles: ReadonlyArray<Trouble> = ["refused", "question lost", "answer lost", "silence"]

/** Makes a network. `timeoutMillis` is when a question counts as failed. */
export const makeWire = (given: {
  readonly dice: Dice
  readonly agenda: Agenda
  readonly machine: Machine
  readonly registry: Registry
  readonly timeoutMillis: number
  /** Whether most questions travel so long that they overlap. */
  readonly isSlow: boolean
}): Wire => {
  const { agenda, dice, isSlow, machine, registry, timeoutMillis } = given
  const faults: Array<Fault> = []
  const absences: Array<Absence> = []
  let partitionedUntil = 0
  let isHealed = false
  let questions = 0

  const travel = (): number => {
    if (isHealed) return dice.between(0, 40)
    if (isSlow) return dice.between(0, 2_490)
    const [near, far] = dice.pick([
      [0, 3],
      [0, 40],
      [0, 400],
      [1_000, 8_000]
    ] as const)
    return dice.between(near, far)
  }

  const troubleNow = (): Trouble => {
    if (isHealed) return "none"
    const probability = agenda.now() < partitionedUntil ? 1 : 0.06
    return dice.chance(probability) ? dice.pick(troubles) : "none"
  }

  const sourceOf = (life: Life): PinSource => ({
    pin: ({ known, reference, signal }) =>
      new Promise((resolve, reject) => {
        questions += 1
        const trouble = troubleNow()
        const there = travel()
        const back = travel()
        const sentAt = agenda.now()
        // A program that sleeps meanwhile may find that it has waited too long.
        if (trouble !== "none" || there + back >= timeoutMillis) {
          const fault = { reference, from: sentAt, to: sentAt + timeoutMillis }
          faults.push(fault)
          // Later, when the machine has slept meanwhile.
          signal.addEventListener("abort", () => {
            fault.to = agenda.now()
          })
        }
        // Some sources heed their signal, and some do not.
        if (dice.chance(0.5)) signal.addEventListener("abort", () => reject(signal.reason))
        const fail = () => whenBack(() => reject(new TypeError("fetch failed")))
        const whenBack = (happen: () => void) =>
          agenda.after(back, () => machine.whenAwake(life, happen))
        agenda.after(there, () => {
          if (trouble === "silence") return
          if (trouble === "refused" || trouble === "question lost") return fail()
          // Some servers know nothing of If-None-Match.
          const answer = registry.answer(reference, dice.chance(0.8) ? known : undefined)
          const readAt = agenda.now()
          if (trouble === "answer lost") return fail()
          whenBack(() => {
            const arrivedAt = agenda.now()
            if (answer._tag === "Gone") absences.push({ reference, readAt, arrivedAt })
            resolve(answer)
          })
        })
      })
  })

  return {
    sourceOf,
    partition: (millis) => {
      partitionedUntil = Math.max(partitionedUntil, agenda.now() + millis)
    },
    heal: () => {
      isHealed = true
    },
    faults,
    absences,
    questions: () => questions
  }
}
