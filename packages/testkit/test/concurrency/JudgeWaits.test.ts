/** What the judge says of who waits for whom. */

import { waitsTrial } from "#src/concurrency/judge/Waits"
import type { Recorded, RecordOf } from "#src/concurrency/questions/Question"
import { areJudged } from "./Histories.ts"
import { day } from "./JobRecords.ts"
import { answered, refused } from "./Records.ts"

/** A host holds a key and a workspace; others come in the trial of waits. */
const inTrial = (...records: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> =>
  records.map((record) => ({ ...record, by: waitsTrial }))

const holds = [
  answered("hold", { question: { of: "key", key: "k" }, answer: null, when: [0, 9_000], id: 98 }),
  answered("hold", { question: { of: "workspace" }, answer: null, when: [0, 9_000], id: 99 })
]

const wanting = (
  number: number,
  when: readonly [number, number],
  wish: Pick<RecordOf<"insert">["question"], "isLimited" | "key">
) =>
  answered("insert", {
    question: { job: number, seedling: "upload", ...wish },
    answer: null,
    when,
    id: number
  })

const behindKey = (number: number, when: readonly [number, number]) =>
  refused(wanting(number, when, { key: { name: "k", atMillis: day } }), "Contended")

const behindWorkspace = (number: number, when: readonly [number, number]) =>
  refused(wanting(number, when, { key: null, isLimited: true }), "Contended")

const free = (number: number, when: readonly [number, number]) =>
  wanting(number, when, { key: null })

areJudged("The judge of waits", {
  sound: {
    "callers who all wait as long for what a host holds, and others who do not": inTrial(
      ...holds,
      behindKey(41, [1, 4_900]),
      behindWorkspace(42, [2, 4_901]),
      behindWorkspace(43, [3, 4_905]),
      free(44, [10, 20]),
      free(45, [11, 3_000]),
      free(46, [12, 30])
    )
  },
  broken: [
    [
      /two callers waited for the same/,
      inTrial(...holds, behindWorkspace(42, [2, 4_000]), behindWorkspace(43, [3, 8_100]))
    ],
    [
      /callers whose keys and workspaces are free waited/,
      inTrial(...holds, behindKey(41, [1, 8_000]), free(44, [10, 4_000]), free(45, [11, 4_000]))
    ]
  ]
})
