/**
 * How long a workspace keeps what it has of a job that has ended.
 */
import { Schema } from "effect"

/** A hundred years stand for "for ever" where the server's own rule is shorter. */
export const retentionDayMax = 36_500

const days = Schema.NullOr(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: retentionDayMax }))
)

/** Days after a job has ended, each null for the server's own rule. */
export const retentionFields = {
  mediaDays: days,
  /** The transcript, the summary, and the body that was sent of them. */
  transcriptDays: days,
  /** The whole job, with its history. The ledger stays. */
  jobDays: days
}

export const RetentionRule = Schema.Struct(retentionFields)
export type RetentionRule = typeof RetentionRule.Type

/** Everything as the server does. */
export const noRetentionRule: RetentionRule = {
  mediaDays: null,
  transcriptDays: null,
  jobDays: null
}

/** The rule of what has more fields than these. */
export const retentionRuleOf = ({
  jobDays,
  mediaDays,
  transcriptDays
}: RetentionRule): RetentionRule => ({ mediaDays, transcriptDays, jobDays })
