/** Models one idempotency key in a sequential store. */
import { keyWindow } from "@verbatim/core/idempotency"
import { Duration } from "effect"
import type { Model } from "../../model/Linear.ts"
import type { KeyRecord, RecordOf } from "../calls/CallRecord.ts"
import type { Occurrence } from "./Occurrence.ts"

/** The key's latest record. */
export type KeyState = KeyRecord | null

/** A request with the key, or a read of the key's record. */
export interface KeyOperation extends Occurrence {
  readonly record: RecordOf<"insert"> | RecordOf<"idempotency">
  /**
   * The latest time stated by any request. The store may delete a record that has expired by this
   * time.
   */
  readonly todayMillis: number
}

const windowMillis = Duration.toMillis(keyWindow)

const isSame = (one: KeyState, other: KeyState): boolean =>
  one?.job === other?.job && one?.atMillis === other?.atMillis

const hasLapsed = (record: KeyRecord, atMillis: number): boolean =>
  Math.abs(record.atMillis - atMillis) >= windowMillis

const insert = (state: KeyState, { outcome, input }: RecordOf<"insert">) => {
  const { job, key } = input
  if (outcome.is === "refused" || key === null) return state
  const isCurrent = state !== null && !hasLapsed(state, key.atMillis)
  if (outcome.is === "answered" && outcome.answer !== null) {
    return isCurrent && isSame(state, outcome.answer) ? state : undefined
  }
  return isCurrent ? undefined : { job, atMillis: key.atMillis }
}

const look = (
  state: KeyState,
  { outcome }: RecordOf<"idempotency">,
  todayMillis: number
): KeyState | undefined => {
  if (outcome.is !== "answered" || isSame(state, outcome.answer)) return state
  const mayBeForgotten = state !== null && hasLapsed(state, todayMillis)
  return outcome.answer === null && mayBeForgotten ? null : undefined
}

/** The model of an unused key. */
export const keyModel: Model<KeyState, KeyOperation> = {
  initial: null,
  step: (state, { record, todayMillis }) =>
    record.call === "insert" ? insert(state, record) : look(state, record, todayMillis),
  // A read may delete an expired record.
  isRead: ({ record }) =>
    record.call === "insert" &&
    (record.outcome.is === "refused" ||
      record.input.key === null ||
      (record.outcome.is === "answered" && record.outcome.answer !== null)),
  key: (state) => (state === null ? "" : `${state.job} ${state.atMillis}`)
}
