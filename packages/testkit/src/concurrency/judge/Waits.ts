/**
 * Judges which callers waited for which others by comparing the waits within one trial, without an
 * absolute time limit. A caller with a free key and a free workspace waits for a fraction of the
 * time after which a blocked caller is refused, and all blocked callers wait for about the same
 * time.
 */
import type { Recorded, RecordOf } from "../calls/CallRecord.ts"
import { describeRecord } from "./Sentences.ts"

type Insert = RecordOf<"insert">
type Hold = RecordOf<"hold">

const isInsert = (record: Recorded): record is Insert => record.call === "insert"

const isHoldOfInserts = (record: Recorded): record is Hold =>
  record.call === "hold" && (record.input.of === "key" || record.input.of === "workspace")

const isBlocked = ({ input }: Hold, { input: { isLimited, key } }: Insert): boolean =>
  input.of === "key" ? key?.name === input.key : isLimited === true

const isRefused = ({ outcome }: Recorded): boolean => outcome.is !== "answered"

const waitOf = ({ invoked, returned }: Recorded): number => returned - invoked

/**
 * All callers have the same timeout, so a caller that waits twice as long as another waited for two
 * timeouts.
 */
const waitRatioMax = 2

/** Reports callers that were blocked by the same hold but waited for very different times. */
const unequalWaits = (hold: Hold, blocked: ReadonlyArray<Insert>): ReadonlyArray<string> => {
  const refused = blocked.filter(isRefused).toSorted((one, other) => waitOf(one) - waitOf(other))
  const [shortest, longest] = [refused[0], refused.at(-1)]
  if (shortest === undefined || longest === undefined) return []
  return waitOf(longest) <= waitOf(shortest) * waitRatioMax
    ? []
    : [
        "two callers waited for the same, one of them more than twice as long:\n" +
          [hold, shortest, longest].map(describeRecord).join("\n")
      ]
}

/** A caller that is not blocked waits for one or two statements. */
const freeShareMax = 0.25

/** Whether callers with a free key and workspace waited for blocked callers. */
const heldUp = (
  holds: ReadonlyArray<Hold>,
  inserts: ReadonlyArray<Insert>
): ReadonlyArray<string> => {
  const isBlockedByAny = (one: Insert) => holds.some((hold) => isBlocked(hold, one))
  const refused = inserts.filter((one) => isBlockedByAny(one) && isRefused(one))
  const shortest = refused.toSorted((one, other) => waitOf(one) - waitOf(other))[0]
  if (shortest === undefined) return []
  const free = inserts.filter((one) => !isBlockedByAny(one))
  const late = free.filter((one) => waitOf(one) > waitOf(shortest) * freeShareMax)
  // A short pause of the machine delays some of these callers.
  return late.length <= free.length / 2
    ? []
    : [
        "callers whose keys and workspaces are free waited for those whose are held:\n" +
          [...holds, shortest, ...late].map(describeRecord).join("\n")
      ]
}

/** Judges the waits trial, in which callers arrive one after the other and nothing else runs. */
export const waitsAreFair = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> => {
  const trial = records.filter(({ by }) => by === waitsTrial)
  const inserts = trial.filter(isInsert)
  const holds = trial.filter(isHoldOfInserts)
  return [
    ...holds.flatMap((hold) =>
      unequalWaits(
        hold,
        inserts.filter((one) => isBlocked(hold, one))
      )
    ),
    ...heldUp(holds, inserts)
  ]
}

/** Name of the callers in the waits trial. */
export const waitsTrial = "waits"
