/** All webhook requests for a job, with their times, durations, sizes and responses. */

import { ScrollTable } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"
import { Time } from "../ui/Time.tsx"
import { formatSize } from "../ui/Words.ts"
import type { History } from "./JobHistory.ts"

type Attempt = History["webhook_attempts"][number]

const isAccepted = ({ status_code }: Attempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

const answerOf = ({ duration_ms, error, status_code }: Attempt): string => {
  if (status_code !== null) return String(status_code)
  return duration_ms === null ? "in progress" : (error ?? "no response")
}

/** Shows the requests. */
export const WebhookAttempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => (
  <ScrollTable label="Webhook requests, as a table">
    <thead>
      <tr>
        <th scope="col">Delivery</th>
        <th scope="col">Attempt</th>
        <th scope="col">Started</th>
        <th scope="col" class="is-number">
          Duration
        </th>
        <th scope="col" class="is-number">
          Size
        </th>
        <th scope="col">Response</th>
      </tr>
    </thead>
    <tbody>
      {attempts.map((attempt) => (
        <tr key={`${attempt.delivery} ${attempt.attempt}`}>
          <td>{attempt.delivery}</td>
          <td>{attempt.attempt}</td>
          <td>
            <Time at={attempt.started_at} isExact />
          </td>
          <td class="is-number">
            {attempt.duration_ms === null ? "–" : formatSpan(attempt.duration_ms)}
          </td>
          <td class="is-number">{attempt.bytes === undefined ? "–" : formatSize(attempt.bytes)}</td>
          <td>
            <span class={`badge is-${isAccepted(attempt) ? "good" : "warn"}`}>
              {answerOf(attempt)}
            </span>
            {attempt.cause === undefined ? null : (
              <span class="row-note hint is-wrapped">{attempt.cause}</span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
)
