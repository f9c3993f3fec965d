/** A row in the list: a job, its status, and its actions. */

import { linkTo } from "../Router.ts"
import { can } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Time } from "../ui/Time.tsx"
import { type ActionHandlers, deleteJob, redeliverJob, retryJob } from "./JobActions.ts"
import {
  acceptedAt,
  hasEnded,
  isRedeliverable,
  isRetryable,
  type ListedJob,
  nameOf,
  statusLabel
} from "./JobTraits.ts"

interface Props {
  readonly job: ListedJob
  readonly handlers: ActionHandlers
}

const Actions = ({ job, handlers }: Props) => {
  const name = nameOf(job)
  return (
    <div class="row-actions">
      {isRetryable(job) ? (
        <IconButton
          icon="retry"
          label={`Run ${name} again`}
          title="Run again"
          onClick={() => void retryJob(job, handlers)}
        />
      ) : null}
      {isRedeliverable(job) ? (
        <IconButton
          icon="send"
          label={`Deliver the webhook of ${name} again`}
          title="Deliver again"
          onClick={() => void redeliverJob(job, handlers)}
        />
      ) : null}
      <IconButton
        icon={hasEnded(job) ? "trash" : "close"}
        label={hasEnded(job) ? `Delete ${name}` : `Cancel ${name}`}
        title={hasEnded(job) ? "Delete" : "Cancel"}
        onClick={() => deleteJob(job)}
      />
    </div>
  )
}

/** Shows the error, or the state of webhook and summary. */
const Notes = ({ job }: { readonly job: ListedJob }) => {
  if (job.error !== undefined) return <span class="row-note hint is-bad">{job.error}</span>
  const notes = [
    ...(job.webhook_status === undefined ? [] : [`Webhook ${job.webhook_status.toLowerCase()}`]),
    ...(job.summary_status === undefined ? [] : [`Summary ${job.summary_status.toLowerCase()}`])
  ]
  return <span class="row-note hint">{notes.length === 0 ? job.id : notes.join(" · ")}</span>
}

/** Shows the row. */
export const JobRow = ({ job, handlers }: Props) => (
  <div class="row bar job-row">
    <StatusBadge job={job} />
    <a class="row-main grow" href={linkTo(`/jobs/${job.id}`)}>
      <span class="row-title" dir="auto">
        {nameOf(job)}
      </span>
      <Notes job={job} />
    </a>
    <span class="row-time hint">
      <Time at={acceptedAt(job)} />
    </span>
    {can("transcriptions:write") ? <Actions job={job} handlers={handlers} /> : null}
    {job.progress === undefined || hasEnded(job) ? null : (
      <progress class="row-progress" value={job.progress} max={1} aria-label="Transcribed" />
    )}
  </div>
)

/** Shows the status of a job with its progress. */
export const StatusBadge = ({ job }: { readonly job: ListedJob }) => {
  const { tone, word } = statusLabel(job.status)
  const share = job.progress
  return (
    <span class={`badge is-${tone}`}>
      <span class="badge-dot" aria-hidden="true" />
      {word}
      {share === undefined ? null : <span class="badge-more">{Math.round(share * 100)} %</span>}
    </span>
  )
}

/** Shows that the job was not found, with a link to the list. */
export const JobNotFound = () => (
  <Empty icon="trash" title="Job not found">
    <p>It was deleted, it expired, or it belongs to another workspace.</p>
    <a class="button" href={linkTo("/jobs")}>
      See all jobs
    </a>
  </Empty>
)
