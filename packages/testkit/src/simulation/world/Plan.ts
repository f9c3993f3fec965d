/** Plans a run from its seed: its processes, when requests are sent, and how long faults last. */

import type { PieceSettings } from "@verbatim/core/services"
import { SummaryType } from "@verbatim/core/summary"
import { Modifier } from "@verbatim/core/transcription"
import type { RetentionRule } from "@verbatim/core/workspace"
import type { Dice } from "../clock/Seed.ts"
import type { Submission } from "../record/Facts.ts"
import type { Hearing } from "./Recording.ts"

/** A process's role, which determines its work. */
export type Role = "http" | "worker" | "both" | "keeper"

/** A transcription request, and when it is sent. */
export interface PlannedJob extends Submission {
  readonly atMillis: number
  readonly source: "Upload" | "Url"
  /** The receiver's origin. Receivers at one origin share a lane. */
  readonly origin: number
  /**
   * Whether the request is repeated with its key, once unchanged and once with a changed parameter.
   */
  readonly isRepeated: boolean
  /** Time until the client deletes the job, or null if the job is kept. */
  readonly removedAfterMillis: number | null
  /** Number of redeliveries to request. */
  readonly redeliveries: number
  /** Number of retries to request if the job fails. */
  readonly retries: number
  readonly hearing: Hearing
  /** The requested language; undefined if the engine detects it. */
  readonly language?: string
}

/** Everything about a run that is decided before it starts. */
export interface Plan {
  readonly roles: ReadonlyArray<Role>
  readonly jobs: ReadonlyArray<PlannedJob>
  readonly stormMillis: number
  readonly minutes: number
  readonly retention: PlannedRetention
  readonly notices: PlannedNotices
  readonly pieces: PieceSettings
}

/** The listeners of a run. */
export interface PlannedNotices {
  /** Whether the host has a listener. */
  readonly isWanted: boolean
  /** Whether only the first worker has a listener. */
  readonly isFirstListenerOnly: boolean
}

/** The retention rule for the time after the run. */
export interface PlannedRetention {
  readonly rule: RetentionRule
  /** Whether the rule is set for the server instead of the workspace. */
  readonly isServers: boolean
  /** Whether the media of successful jobs is kept until the rule deletes it. */
  readonly isMediaKept: boolean
}

/** Lengths in seconds just below and above the limits for summaries: one, three and ten minutes. */
const lengths = [20, 59, 60, 61, 185, 610]

/** Delays in milliseconds before a deletion, by which time the job waits, runs or has ended. */
const removals = [300, 3_000, 15_000, 60_000, 120_000]

const jobCountMax = 6

/** Most recordings are recognised in pieces. */
const hearings: ReadonlyArray<Hearing> = ["pieces", "pieces", "pieces", "context", "whole"]

/** Number of recordings submitted again. */
const repeatCounts = [0, 1, 2, 2]

/** A language that a client requests and the engine never detects. */
const otherLanguage = "fr"
const originCount = 2

/**
 * Plans one job. The recording's length contains the job's number, so a charge identifies the job.
 */
export const planJob = (
  chance: Dice,
  { atMillis, number }: { readonly number: number; readonly atMillis: number }
): PlannedJob => ({
  marker: `m${number}`,
  durationMillis: chance.pick(lengths) * 1_000 + number,
  hasCallback: chance.chance(0.8),
  modifier: chance.chance(0.4) ? chance.pick(Modifier.literals) : null,
  summary: chance.chance(0.4) ? chance.pick(SummaryType.literals) : null,
  atMillis,
  source: chance.chance(0.5) ? "Upload" : "Url",
  origin: chance.below(originCount),
  key: chance.chance(0.5) ? `key-of-m${number}` : null,
  isRepeated: chance.chance(0.35),
  removedAfterMillis: chance.chance(0.25) ? chance.below(chance.pick(removals)) : null,
  redeliveries: chance.chance(0.15) ? chance.between(1, 2) : 0,
  retries: chance.chance(0.6) ? chance.between(1, 2) : 0,
  hearing: chance.pick(hearings)
})

/** Submits an earlier job's recording again, perhaps in another workspace or language. */
const planRepeat = (
  chance: Dice,
  { number, originals }: { readonly number: number; readonly originals: ReadonlyArray<PlannedJob> }
): PlannedJob => {
  const inPieces = originals.filter(({ hearing }) => hearing !== "whole")
  const { durationMillis, hearing, marker } = chance.pick(
    inPieces.length > 0 ? inPieces : originals
  )
  return {
    ...planJob(chance, { number, atMillis: chance.between(30_000, 150_000) }),
    durationMillis,
    hearing,
    sound: marker,
    isNeighbours: chance.chance(0.3),
    ...(chance.chance(0.5) ? { language: otherLanguage } : {})
  }
}

const planJobs = (chance: Dice): ReadonlyArray<PlannedJob> => {
  const originals = Array.from({ length: chance.between(2, jobCountMax) }, (_, index) =>
    planJob(chance, { number: index + 1, atMillis: chance.below(45_000) })
  )
  const repeats = Array.from({ length: chance.pick(repeatCounts) }, (_, index) =>
    planRepeat(chance, { number: originals.length + index + 1, originals })
  )
  return [...originals, ...repeats]
}

/** Deployments, each with the roles of its processes. */
const deployments: ReadonlyArray<ReadonlyArray<Role>> = [
  ["both"],
  ["both", "both"],
  ["http", "worker"],
  ["http", "worker", "worker"],
  ["http", "both", "worker"]
]

/** Days in retention rules, or null for no rule. */
const retentionDays = [null, null, 1, 2, 3]

/** Plans the run of a seed. */
export const make = (chance: Dice): Plan => ({
  roles: chance.pick(deployments),
  jobs: planJobs(chance),
  stormMillis: chance.between(45_000, 180_000),
  minutes: 60 + chance.between(1, 90),
  retention: {
    rule: {
      mediaDays: chance.pick(retentionDays),
      transcriptDays: chance.pick(retentionDays),
      jobDays: chance.pick(retentionDays)
    },
    isServers: chance.chance(0.3),
    isMediaKept: chance.chance(0.3)
  },
  notices: planNotices(chance),
  pieces: { atOnce: chance.between(1, 3), areReused: chance.chance(0.7) }
})

const planNotices = (chance: Dice): PlannedNotices => ({
  isWanted: chance.chance(0.6),
  isFirstListenerOnly: chance.chance(0.4)
})
