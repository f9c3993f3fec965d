/** Shows all webhook requests for a job, with their timestamps, durations, sizes and responses. */

import { type Column, Table, Time } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"
import { formatSize } from "../ui/Words.ts"
import type { History } from "./JobHistory.ts"

type Attempt = History["webhook_attempts"][number]

const isAccepted = ({ status_code }: Attempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

const answerOf = ({ duration_ms, error, status_code }: Attempt): string => {
  if (status_code !== null) return String(status_code)
  return duration_ms === null ? "in progress" : (error ?? "no response")
}

const Answer = ({ attempt }: { readonly attempt: Attempt }) => (
  <>
    <span class={`badge is-${isAccepted(attempt) ? "good" : "warn"}`}>{answerOf(attempt)}</span>
    {attempt.cause === undefined ? null : (
      <span class="row-note hint is-wrapped">{attempt.cause}</span>
    )}
  </>
)

const columns: ReadonlyArray<Column<Attempt>> = [
  { title: "Delivery", cell: ({ delivery }) => delivery },
  { title: "Attempt", cell: ({ attempt }) => attempt },
  { title: "Started", cell: ({ started_at }) => <Time at={started_at} isExact /> },
  {
    title: "Duration",
    cell: ({ duration_ms }) => (duration_ms === null ? "–" : formatSpan(duration_ms)),
    isNumber: true
  },
  {
    title: "Size",
    cell: ({ bytes }) => (bytes === undefined ? "–" : formatSize(bytes)),
    isNumber: true
  },
  { title: "Response", cell: (attempt) => <Answer attempt={attempt} /> }
]

export const WebhookAttempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => (
  <Table
    label="Webhook requests, as a table"
    columns={columns}
    rows={attempts}
    keyOf={({ attempt, delivery }) => `${delivery} ${attempt}`}
  />
)
