/**
 * How long a workspace keeps what it has of a job that has ended.
 */
import { Context, Schema } from "effect"

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

/** The server's own rule, which holds where a workspace says nothing. */
export const DefaultRetention: Context.Reference<RetentionRule> = Context.Reference(
  "@verbatim/core/domain/workspace/DefaultRetention",
  { defaultValue: () => noRetentionRule }
)

const shorter = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/**
 * The rule that holds for a workspace: a job takes its transcript along, and a transcript its
 * media, so neither stays longer.
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
