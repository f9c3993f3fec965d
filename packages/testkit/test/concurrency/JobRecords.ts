/** Creates records of calls about one job, for handwritten histories. */
import type { WorkKind } from "@verbatim/core/attempt"
import { applyCommit, type Job } from "@verbatim/core/job"
import { Result } from "effect"
import type { JobSight } from "#src/concurrency/calls/CallRecord"
import { eventOf, jobFrom } from "#src/concurrency/calls/JobSpec"
import { digestOf } from "#src/model/Digest"
import { answered } from "./Records.ts"

export const job = 1
export const born = jobFrom(job, "upload")
const begun = {
  machine: "Transcription",
  event: "AttemptStarted",
  number: 30,
  isFarOff: false
} as const
export const running = Result.getOrThrow(applyCommit(born, [eventOf(born, begun)]))

const sight = (seen: Job): JobSight => ({ job, revision: seen.revision, digest: digestOf(seen) })

export const inserted = answered("insert", {
  input: { job, shape: "upload", key: null },
  answer: null,
  when: [1, 2]
})

export const claimed = (token: number, when: readonly [number, number], seen: Job = born) =>
  answered("claim", {
    input: { token, kinds: ["Transcribe"] satisfies ReadonlyArray<WorkKind> },
    answer: { nowMillis: 2_000_000_000_000, jobs: [sight(seen)] },
    when
  })

export const committed = (
  token: number,
  when: readonly [number, number],
  { id = 30, isLeaseKept = true, chargeMillis = null as number | null } = {}
) =>
  answered("commit", {
    input: {
      job,
      revision: 2,
      spec: { ...begun, number: id },
      token,
      isLeaseKept,
      transcript: null,
      chargeMillis
    },
    answer: null,
    when,
    id
  })

export const found = (seen: Job | null, when: readonly [number, number]) =>
  answered("find", { input: { job }, answer: seen && sight(seen), when })

/** Records a renewal: it extends the lease, or finds that the lease is lost or its row busy. */
export const renewed = (token: number, answer: boolean | "busy", when: readonly [number, number]) =>
  answered("renew", {
    input: { leases: [{ job, token }] },
    answer: { extended: answer === true ? [job] : [], busy: answer === "busy" ? [job] : [] },
    when
  })

/** Records a lock on the job's work row. */
export const held = (when: readonly [number, number]) =>
  answered("hold", { input: { of: "work", job }, answer: null, when })

export const ledger = (...amounts: ReadonlyArray<number>) =>
  answered("ledger", {
    input: {},
    answer: { amounts, balanceMillis: -amounts.reduce((sum, amount) => sum + amount, 0) },
    when: [900, 901]
  })

export const lapsed = (when: readonly [number, number]) =>
  answered("lapse", { input: { jobs: [job] }, answer: null, when })

export const day = 86_400_000

export const keyed = (
  number: number,
  when: readonly [number, number],
  atMillis: number,
  earlier?: number
) =>
  answered("insert", {
    input: { job: number, shape: "upload", key: { name: "k", atMillis } },
    answer: earlier === undefined ? null : { job: earlier, atMillis: day },
    when
  })

/** Records a read of the key's record. */
export const keyRecord = (number: number | null, when: readonly [number, number], atMillis = day) =>
  answered("idempotency", {
    input: { key: "k" },
    answer: number === null ? null : { job: number, atMillis },
    when
  })
