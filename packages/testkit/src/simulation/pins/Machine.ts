/**
 * The machine that a program runs on: its clocks, which are set and stand still, its sleep, and the
 * lives of the program, of which each begins with nothing.
 */
import type { Clocks, PinClock } from "@verbatim/resolution/pins"
import type { Agenda } from "./Agenda.ts"

/** One life of the program. */
export interface Life {
  readonly number: number
  readonly clock: PinClock
  /** Whether it has ended: nothing of it happens any more. */
  isOver: boolean
  /**
   * Milliseconds of sleep that no clock told, because the clock on the wall was set back before the
   * program looked at it again. No program can know of them.
   */
  hiddenMillis: number
  /** Whether the clock on the wall was set forth: then ages seem longer. */
  wasSetForth: boolean
}

/** A machine with its program. */
export interface Machine {
  readonly life: () => Life
  /** Does something in a life, as soon as the machine is awake. */
  readonly whenAwake: (life: Life, happen: () => void) => void
  readonly sleep: (millis: number) => void
  /** Sets the clock on the wall. */
  readonly setClock: (byMillis: number) => void
  /** The program dies and starts again. */
  readonly restart: () => void
  /** How far the clock on the wall was set back in all. */
  readonly setBackMillis: () => number
}

/** Makes a machine. */
export const makeMachine = (agenda: Agenda): Machine => {
  let wallOffset = 1_700_000_000_000
  let sleptMillis = 0
  let awakeAt = 0
  let setBackMillis = 0
  /** Since the program looked at its clocks. */
  const unseen = { sleptMillis: 0, setBackMillis: 0 }

  const whenAwake = (life: Life, happen: () => void): void => {
    if (life.isOver) return
    if (agenda.now() >= awakeAt) happen()
    else agenda.after(awakeAt - agenda.now(), () => whenAwake(life, happen))
  }

  const monotonic = () => agenda.now() - sleptMillis

  const look = (): Clocks => {
    unseen.sleptMillis = 0
    unseen.setBackMillis = 0
    return { monotonicMillis: monotonic(), wallMillis: agenda.now() + wallOffset }
  }

  const clockOf = (life: Life): PinClock => ({
    now: look,
    sleep: (millis, signal) =>
      new Promise((resolve, reject) => {
        const due = monotonic() + millis
        // Timers stand still while the machine sleeps.
        const ring = () => {
          const left = due - monotonic()
          if (left <= 0) resolve()
          else agenda.after(left, () => whenAwake(life, ring))
        }
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        agenda.after(millis, () => whenAwake(life, ring))
      })
  })

  const begin = (number: number): Life => {
    const made = { number, isOver: false, hiddenMillis: 0, wasSetForth: false } as Life
    return Object.assign(made, { clock: clockOf(made) })
  }
  let life = begin(0)

  return {
    life: () => life,
    whenAwake,
    sleep: (millis) => {
      // What is left of an earlier sleep is part of this one.
      const until = Math.max(awakeAt, agenda.now() + millis)
      const added = until - Math.max(awakeAt, agenda.now())
      awakeAt = until
      life.hiddenMillis += Math.min(added, unseen.setBackMillis)
      unseen.sleptMillis += added
      sleptMillis += added
    },
    setClock: (byMillis) => {
      wallOffset += byMillis
      if (byMillis > 0) life.wasSetForth = true
      else {
        setBackMillis -= byMillis
        life.hiddenMillis += Math.min(-byMillis, unseen.sleptMillis)
        unseen.setBackMillis -= byMillis
      }
    },
    restart: () => {
      life.isOver = true
      life = begin(life.number + 1)
    },
    setBackMillis: () => setBackMillis
  }
}
