/** The rule of retention of a workspace, as the wire shows it and as changes carry it. */
import { Integer, Rule } from "@verbatim/core/schema"
import { type RetentionRule, retentionDayMax, type WorkspaceChange } from "@verbatim/core/workspace"
import { Schema } from "effect"

const days = (what: string) =>
  Schema.NullOr(Integer.check(Rule.numberAtLeast(1), Rule.numberAtMost(retentionDayMax))).annotate({
    description: `Days after a job has ended for which ${what} stays; null for the server's rule.`
  })

const fields = {
  media_days: days("its media"),
  transcript_days: days("its transcript, with its summary,"),
  job_days: days("the whole job")
}

/** The rule of a workspace: each null where the server's own holds. */
export const RetentionView = Schema.Struct(fields).annotate({
  identifier: "Retention",
  description:
    "For how long jobs that have ended stay. A job takes its transcript along, and a transcript " +
    "its media; the ledger stays."
})
export type RetentionView = typeof RetentionView.Type

/** A change of it: what is left out stays as it is. */
export const RetentionBody = Schema.Struct({
  media_days: Schema.optionalKey(fields.media_days),
  transcript_days: Schema.optionalKey(fields.transcript_days),
  job_days: Schema.optionalKey(fields.job_days)
}).annotate({ identifier: "RetentionChange" })
type RetentionBody = typeof RetentionBody.Type

/** Shows a rule. */
export const toRetentionView = ({
  jobDays,
  mediaDays,
  transcriptDays
}: RetentionRule): RetentionView => ({
  media_days: mediaDays,
  transcript_days: transcriptDays,
  job_days: jobDays
})

/** The part of a change that it asks for. */
export const toRetentionChange = ({
  job_days,
  media_days,
  transcript_days
}: RetentionBody): Pick<WorkspaceChange, "jobDays" | "mediaDays" | "transcriptDays"> => ({
  ...(media_days === undefined ? {} : { mediaDays: media_days }),
  ...(transcript_days === undefined ? {} : { transcriptDays: transcript_days }),
  ...(job_days === undefined ? {} : { jobDays: job_days })
})
