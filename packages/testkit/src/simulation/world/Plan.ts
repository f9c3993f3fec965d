/**
 * What a seed plans before anything goes wrong: which processes there are, what is asked of them
 * and when, and how long the storm lasts.
 */

import { SummaryType } from "@verbatim/core/summary"
import { Modifier } from "@verbatim/core/transcription"
import type { RetentionRule } from "@verbatim/core/workspace"
import type { Dice } from "../clock/Seed.ts"
import type { Submission } from "../record/Facts.ts"

/** What a process does. */
export type Role = "http" | "worker" | "both" | "keeper"

/** A request to transcribe, and when it is made. */
export interface PlannedJob extends Submission {
  readonly atMillis: number
  readonly source: "Upload" | "Url"
  /** Receivers share an origin, and so a lane. */
  readonly origin: number
  /** Whether the request comes again under its key: as it was, and with another parameter. */
  readonly isRepeated: boolean
  /** How long after submitting it its client deletes it; null when it stays. */
  readonly removedAfterMillis: number | null
  /** How often its webhook is asked for once more. */
  readonly redeliveries: number
  /** How often it is run again when it has failed. */
  readonly retries: number
}

/** A planned run. */
export interface Plan {
  readonly roles: ReadonlyArray<Role>
  readonly jobs: ReadonlyArray<PlannedJob>
  readonly stormMillis: number
  readonly minutes: number
  readonly retention: PlannedRetention
  readonly notices: PlannedNotices
}

/** Whether the host listens for ends, and in which processes. */
export interface PlannedNotices {
  readonly mayHaveRestarted: boolean
  /** Whether only the first worker has a listener. */
  readonly areOthersDeaf: boolean
}

/** For how long what is kept after the run. */
export interface PlannedRetention {
  readonly rule: RetentionRule
  /** Whether it is the server's rule, and not that of the workspace. */
  readonly isServers: boolean
  /** Whether media of jobs that succeeded stays until then. */
  readonly isMediaKept: boolean
}

/** Seconds around the limits of the summaries: one, three and ten minutes. */
const lengths = [20, 59, 60, 61, 185, 610]

/** Jobs are deleted while they wait, work or have ended: within this many milliseconds. */
const removals = [300, 3_000, 15_000, 60_000, 120_000]

const jobCountMax = 6
const originCount = 2

/** The plan of one job. Its number is in its length, so that a charge names its job. */
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
  retries: chance.chance(0.6) ? chance.between(1, 2) : 0
})

/** Deployments: one process that does everything, separate roles, and more of each. */
const deployments: ReadonlyArray<ReadonlyArray<Role>> = [
  ["both"],
  ["both", "both"],
  ["http", "worker"],
  ["http", "worker", "worker"],
  ["http", "both", "worker"]
]

/** Days of rules, and none. */
const retentionDays = [null, null, 1, 2, 3]

/** The plan of a seed. */
export const make = (chance: Dice): Plan => ({
  roles: chance.pick(deployments),
  jobs: Array.from({ length: chance.between(2, jobCountMax) }, (_, index) =>
    planJob(chance, { number: index + 1, atMillis: chance.below(45_000) })
  ),
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
  notices: planNotices(chance)
})

const planNotices = (chance: Dice): PlannedNotices => ({
  mayHaveRestarted: chance.chance(0.6),
  areOthersDeaf: chance.chance(0.4)
})
