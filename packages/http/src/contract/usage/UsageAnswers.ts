/**
 * Usage on the wire: rows of sums, and the page that they stand on.
 */
import { dayMillis, toMinutes, type UsageRow } from "@verbatim/core/workspace"
import { DateTime, Schema } from "effect"
import { instant, orNull, uuid } from "../AnswerFields.ts"
import { makeMillis, makeMinutes, nextCursor } from "./UsageFields.ts"

const UsageView = Schema.Struct({
  day: orNull(Schema.String.annotate({ format: "date" }), "The day of UTC; null unless by day."),
  workspace_id: orNull(uuid, "Null by day."),
  key_id: orNull(
    uuid,
    "The key that asked for the jobs. Null for what no key asked for, such as credits, and " +
      "unless by key."
  ),
  jobs: Schema.Int.annotate({ description: "Jobs that were charged." }),
  charged_minutes: makeMinutes("Minutes that were charged"),
  charged_millis: makeMillis("The same"),
  credited_minutes: makeMinutes("Minutes that were given, less those taken away"),
  credited_millis: makeMillis("The same")
}).annotate({ identifier: "Usage" })

const example: typeof UsageView.Type = {
  day: "2025-01-02",
  workspace_id: null,
  key_id: null,
  jobs: 2,
  charged_minutes: "2.05",
  charged_millis: 123_456,
  credited_minutes: "600.00",
  credited_millis: 36_000_000
}

/** A page of sums. */
export const UsagePage = Schema.Struct({
  from: instant.annotate({ description: "The first instant that is counted." }),
  to: instant.annotate({ description: "The first instant that is not counted any more." }),
  data: Schema.Array(UsageView),
  next_cursor: nextCursor
}).annotate({
  identifier: "UsagePage",
  description: "The sums.",
  examples: [
    {
      from: "2025-01-02T00:00:00.000Z",
      to: "2025-01-03T00:00:00.000Z",
      data: [example],
      next_cursor: null
    }
  ]
})

const toDay = (day: number): string =>
  DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * dayMillis))

/** Shows a row. */
export const toUsageView = (row: UsageRow): typeof UsageView.Type => ({
  day: row.day === null ? null : toDay(row.day),
  workspace_id: row.workspaceId,
  key_id: row.keyId,
  jobs: row.jobs,
  charged_minutes: toMinutes(row.chargedMillis),
  charged_millis: row.chargedMillis,
  credited_minutes: toMinutes(row.creditedMillis),
  credited_millis: row.creditedMillis
})
