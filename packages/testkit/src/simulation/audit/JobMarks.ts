/**
 * Rare marks of what happens to jobs after they were accepted: deletions, redeliveries, repeats and
 * lists, read from what was seen.
 */
import { type Fact, factsOf } from "../record/Facts.ts"
import type { Mark } from "../record/Marks.ts"

const dayMillis = 86_400_000

const tooLate = ["MediaExpired", "RequestNotFound", "ResultsRemoved"]

/** How old jobs went, and who came back for them. */
const retentionCounts = (facts: ReadonlyArray<Fact>): ReadonlyArray<readonly [Mark, number]> => {
  const took = factsOf(facts, "Took")
  const wishes = factsOf(facts, "LateWish")
  return [
    [
      "media went when its time was over",
      factsOf(facts, "FileGone").filter(({ by }) => by.startsWith("keeper")).length
    ],
    [
      "a transcript went when its time was over",
      took.filter(({ what }) => what === "transcript").length
    ],
    ["a job went when its time was over", took.filter(({ what }) => what === "job").length],
    [
      "a job whose time was over was wanted again in time",
      wishes.filter(
        ({ answer, endedAt, id }) =>
          (answer === "retry" || answer === "redeliver") &&
          took.some((each) => each.id === id && each.at > endedAt)
      ).length
    ],
    ["a job was wanted again too late", wishes.filter((w) => tooLate.includes(w.answer)).length]
  ]
}

/** What became of notices. */
const noticeCounts = (facts: ReadonlyArray<Fact>): ReadonlyArray<readonly [Mark, number]> => {
  const heard = factsOf(facts, "Heard")
  const noticed = factsOf(facts, "Noticed")
  const again = factsOf(facts, "Called").filter(({ at, noticeId }) =>
    heard.some((each) => each.noticeId === noticeId && each.at < at)
  )
  const isFailed = ({ notice }: (typeof noticed)[number]) => notice?.state === "Failed"
  const wasHeard = ({ notice }: (typeof noticed)[number]) =>
    heard.some(({ noticeId }) => noticeId === notice?.id)
  const isThird = ({ notice }: (typeof noticed)[number]) =>
    notice?.state === "Told" && notice.attempt === 3
  return [
    ["a listener was called again although it had returned", again.length],
    ["a notice was told by its third call", noticed.filter(isThird).length],
    ["a notice failed", noticed.filter(isFailed).length],
    [
      "a notice failed although a listener had returned",
      noticed.filter((each) => isFailed(each) && wasHeard(each)).length
    ]
  ]
}

/** The marks of a run that has ended, each once for every fact it is true of. */
export const laterEndings = (facts: ReadonlyArray<Fact>): ReadonlyArray<Mark> => {
  const ids = new Map(factsOf(facts, "Accepted").map(({ id, marker }) => [marker, id]))
  const receipts = factsOf(facts, "Received")
  const removals = factsOf(facts, "Removed").filter(({ isAnswered }) => isAnswered)
  const keyed = factsOf(facts, "Keyed")
  const isBetween = (at: number, walk: { readonly beganAt: number; readonly endedAt: number }) =>
    walk.beganAt < at && at < walk.endedAt
  const turns = [
    ...factsOf(facts, "Accepted").map(({ at }) => at),
    ...removals.map(({ endedAt }) => endedAt)
  ]
  const counts: ReadonlyArray<readonly [Mark, number]> = [
    ...retentionCounts(facts),
    ...noticeCounts(facts),
    [
      "a webhook was sent although its job was deleted",
      receipts.filter(({ at, marker }) =>
        removals.some(({ endedAt, id }) => id === ids.get(marker) && endedAt < at)
      ).length
    ],
    [
      "a webhook was delivered again",
      [...ids.keys()].filter((marker) => {
        const good = receipts.filter((each) => each.marker === marker && each.status === 200)
        return new Set(good.map(({ webhookId }) => webhookId)).size > 1
      }).length
    ],
    [
      "a repeat was told the job of a request whose answer was lost",
      keyed.filter(
        ({ beganAt, id, marker }) =>
          id !== null &&
          keyed.some(
            (first) =>
              first.marker === marker && first.refusal === "no answer" && first.beganAt < beganAt
          )
      ).length
    ],
    [
      "a repeat came with another request",
      keyed.filter(({ refusal }) => refusal === "OtherRequest").length
    ],
    [
      "a repeat came after its job was deleted",
      keyed.filter(({ refusal }) => refusal === "JobDeleted").length
    ],
    [
      "a key stood for another job a day later",
      keyed.filter(({ beganAt, id }) => id !== null && beganAt > dayMillis).length
    ],
    [
      "a job came or went while the jobs were listed",
      factsOf(facts, "Listed").filter((walk) => turns.some((at) => isBetween(at, walk))).length
    ],
    [
      "a webhook was signed under two secrets",
      receipts.filter(({ signature }) => signature.includes(" ")).length
    ]
  ]
  return counts.flatMap(([mark, count]) => Array<Mark>(count).fill(mark))
}
