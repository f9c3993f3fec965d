/** Retention rules: how long a workspace keeps data from a finished job. */
import { Context, Schema } from "effect"

/**
 * Maximum number of days in a retention rule: a hundred years, which means "forever" and overrides
 * a shorter rule of the server.
 */
export const retentionDayMax = 36_500

const days = Schema.NullOr(
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: retentionDayMax }))
)

/**
 * The number of days, after the end of a job, for which each part is kept; null to use the server's
 * rule.
 */
export const retentionFields = {
  mediaDays: days,
  /** The transcript, the summary, and the webhook body that was rendered from them. */
  transcriptDays: days,
  /** The whole job with its history, but without its ledger entries. */
  jobDays: days
}

export const RetentionRule = Schema.Struct(retentionFields)
export type RetentionRule = typeof RetentionRule.Type

/** A retention rule without periods, so that the server's periods apply. */
export const noRetentionRule: RetentionRule = {
  mediaDays: null,
  transcriptDays: null,
  jobDays: null
}

/** Returns only the retention rule of an object that also has other fields. */
export const retentionRuleOf = ({
  jobDays,
  mediaDays,
  transcriptDays
}: RetentionRule): RetentionRule => ({ mediaDays, transcriptDays, jobDays })

/** The server's retention rule, which applies to workspaces without a rule. */
export const DefaultRetention: Context.Reference<RetentionRule> = Context.Reference(
  "@verbatim/core/domain/workspace/DefaultRetention",
  { defaultValue: () => noRetentionRule }
)

const shorter = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/**
 * Returns the retention rule that applies to a workspace. Removing a job removes its transcript,
 * and removing a transcript removes its media, so the transcript is kept no longer than the job,
 * and the media no longer than the transcript.
 */
export const ruleInForce = (own: RetentionRule, server: RetentionRule): RetentionRule => {
  const jobDays = own.jobDays ?? server.jobDays
  const transcriptDays = shorter(own.transcriptDays ?? server.transcriptDays, jobDays)
  return {
    mediaDays: shorter(own.mediaDays ?? server.mediaDays, transcriptDays),
    transcriptDays,
    jobDays
  }
}
