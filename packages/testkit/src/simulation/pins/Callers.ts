/**
 * Those who want to know what references mean: many at once, some of whom go away.
 */
import { type Meaning, type PinReader, PinRefusal } from "@verbatim/resolution/pins"
import type { Agenda } from "./Agenda.ts"
import type { Life, Machine } from "./Machine.ts"
import type { Call, Told } from "./PinAudit.ts"

/** What a caller asks, and with how much patience. */
export interface Wish {
  readonly reference: string
  /** After so many milliseconds it goes away. */
  readonly patience: number | undefined
}

const toMeaning = ({ ageMillis, isStale, pinned }: Meaning): Told => ({
  _tag: "Means",
  versionId: pinned.versionId,
  ageMillis,
  isStale
})

const toRefusal = (error: unknown, own: AbortSignal): Told => {
  if (error instanceof PinRefusal) {
    return { _tag: error.code === "Unavailable" ? "Unavailable" : "Gone" }
  }
  if (own.aborted && error === own.reason) return { _tag: "Aborted" }
  return { _tag: "Broken", error: String(error) }
}

/** Makes what calls; `ended` is told of each call that its life did not cut off. */
export const makeCallers = (given: {
  readonly agenda: Agenda
  readonly machine: Machine
  readonly mayForget: boolean
  readonly ended: (call: Call) => void
}) => {
  const { agenda, ended, machine, mayForget } = given
  let sleptMillis = 0

  const call = (life: Life, reader: PinReader, { patience, reference }: Wish): void => {
    const own = new AbortController()
    const calledAt = agenda.now()
    const sleptBefore = sleptMillis
    const end = (told: Told) => {
      if (life.isOver) return
      ended({
        life: life.number,
        reference,
        calledAt,
        toldAt: agenda.now(),
        abortsAt: patience === undefined ? undefined : calledAt + patience,
        told,
        hiddenMillis: life.hiddenMillis,
        setBackMillis: machine.setBackMillis(),
        wasSetForth: life.wasSetForth,
        mayForget,
        sleptMillis: sleptMillis - sleptBefore
      })
    }
    if (patience !== undefined) {
      agenda.after(patience, () =>
        machine.whenAwake(life, () => own.abort(new Error("has gone away")))
      )
    }
    reader
      .read(reference, patience === undefined ? undefined : own.signal)
      .then(toMeaning, (error: unknown) => toRefusal(error, own.signal))
      .then(end)
  }

  return {
    call,
    /** The machine sleeps: calls that go on meanwhile take longer. */
    sleep: (millis: number) => {
      sleptMillis += millis
      machine.sleep(millis)
    }
  }
}
