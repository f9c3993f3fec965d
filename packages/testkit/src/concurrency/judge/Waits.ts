/**
 * Who waits for whom. No wait is judged by the clock, only by other waits of the same trial.
 * Callers whose key and workspace are free wait for a fraction of the time of those that are
 * refused because theirs are held; of the latter none waits much longer than another one.
 */
import type { Recorded, RecordOf } from "../questions/Question.ts"
import { describeRecord } from "./Sentences.ts"

type Insert = RecordOf<"insert">
type Hold = RecordOf<"hold">

const isInsert = (record: Recorded): record is Insert => record.ask === "insert"

const isHoldOfInserts = (record: Recorded): record is Hold =>
  record.ask === "hold" && (record.question.of === "key" || record.question.of === "workspace")

const isBlocked = ({ question }: Hold, { question: { isLimited, key } }: Insert): boolean =>
  question.of === "key" ? key?.name === question.key : isLimited === true

const isRefused = ({ outcome }: Recorded): boolean => outcome.is !== "answered"

const waitOf = ({ invoked, returned }: Recorded): number => returned - invoked

/** All of them had the same time: one who waits twice as long as another had it twice. */
const waitRatioMax = 2

/** Those behind one hold whose waits differ too much. */
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

/** A caller with nothing in its way waits for a statement or two. */
const freeShareMax = 0.25

/** Whether those whose key and workspace are free waited for those whose are not. */
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
  // A machine that stands still for a moment makes some of them late.
  return late.length <= free.length / 2
    ? []
    : [
        "callers whose keys and workspaces are free waited for those whose are held:\n" +
          [...holds, shortest, ...late].map(describeRecord).join("\n")
      ]
}

/** Judges the trial of waits, in which callers come one after the other while all else is quiet. */
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

/** The name of those who ask in the trial of waits. */
export const waitsTrial = "waits"
