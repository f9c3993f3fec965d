/** Every request to the receiver of a job: when, how long, how much, and what it answered. */

import { TablePlace } from "../ui/Card.tsx"
import { writeSpan } from "../ui/Clock.ts"
import { Time } from "../ui/Time.tsx"
import { writeSize } from "../ui/Words.ts"
import type { History } from "./Standing.ts"

type Attempt = History["webhook_attempts"][number]

const isTaken = ({ status_code }: Attempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

const answerOf = ({ duration_ms, error, status_code }: Attempt): string => {
  if (status_code !== null) return String(status_code)
  return duration_ms === null ? "under way" : (error ?? "no answer")
}

/** Shows them. */
export const WebhookAttempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => (
  <TablePlace label="Requests, as a table">
    <thead>
      <tr>
        <th scope="col">Delivery</th>
        <th scope="col">Attempt</th>
        <th scope="col">Begun</th>
        <th scope="col" class="is-number">
          Took
        </th>
        <th scope="col" class="is-number">
          Sent
        </th>
        <th scope="col">Answer</th>
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
            {attempt.duration_ms === null ? "–" : writeSpan(attempt.duration_ms)}
          </td>
          <td class="is-number">{attempt.bytes === undefined ? "–" : writeSize(attempt.bytes)}</td>
          <td>
            <span class={`badge is-${isTaken(attempt) ? "good" : "warn"}`}>
              {answerOf(attempt)}
            </span>
            {attempt.cause === undefined ? null : (
              <span class="row-note hint is-wrapped">{attempt.cause}</span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </TablePlace>
)
