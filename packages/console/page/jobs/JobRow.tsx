/** One job in the list: what it is, how it stands, and what can be done with it. */

import { linkTo } from "../Router.ts"
import { may } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Time } from "../ui/Time.tsx"
import { deleteJob, type Reaction, redeliverJob, retryJob } from "./JobActions.ts"
import {
  acceptedAt,
  isOver,
  isRedeliverable,
  isRetryable,
  type ListedJob,
  nameOf,
  toShown
} from "./JobTraits.ts"

interface Given {
  readonly job: ListedJob
  readonly reaction: Reaction
}

const Actions = ({ job, reaction }: Given) => {
  const name = nameOf(job)
  return (
    <div class="row-actions">
      {isRetryable(job) ? (
        <IconButton
          icon="retry"
          label={`Run ${name} again`}
          title="Run again"
          onClick={() => void retryJob(job, reaction)}
        />
      ) : null}
      {isRedeliverable(job) ? (
        <IconButton
          icon="send"
          label={`Deliver the webhook of ${name} again`}
          title="Deliver again"
          onClick={() => void redeliverJob(job, reaction)}
        />
      ) : null}
      <IconButton
        icon={isOver(job) ? "trash" : "close"}
        label={isOver(job) ? `Delete ${name}` : `Cancel ${name}`}
        title={isOver(job) ? "Delete" : "Cancel"}
        onClick={() => deleteJob(job)}
      />
    </div>
  )
}

/** What is told beside the name: why it failed, what became of summary and webhook. */
const Notes = ({ job }: { readonly job: ListedJob }) => {
  if (job.error !== undefined) return <span class="row-note hint is-bad">{job.error}</span>
  const notes = [
    ...(job.webhook_status === undefined ? [] : [`Webhook ${job.webhook_status.toLowerCase()}`]),
    ...(job.summary_status === undefined ? [] : [`Summary ${job.summary_status.toLowerCase()}`])
  ]
  return <span class="row-note hint">{notes.length === 0 ? job.id : notes.join(" · ")}</span>
}

/** Shows the line. */
export const JobRow = ({ job, reaction }: Given) => (
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
    {may("transcriptions:write") ? <Actions job={job} reaction={reaction} /> : null}
    {job.progress === undefined || isOver(job) ? null : (
      <progress class="row-progress" value={job.progress} max={1} aria-label="Recognised" />
    )}
  </div>
)

/** Shows the status of a job, with how far it is. */
export const StatusBadge = ({ job }: { readonly job: ListedJob }) => {
  const { tone, word } = toShown(job.status)
  const share = job.progress
  return (
    <span class={`badge is-${tone}`}>
      <span class="badge-dot" aria-hidden="true" />
      {word}
      {share === undefined ? null : <span class="badge-more">{Math.round(share * 100)} %</span>}
    </span>
  )
}

/** Shows that there is no such job, and where others are. */
export const Gone = () => (
  <Empty icon="trash" title="There is no such job">
    <p>It was deleted, its time was over, or it is of another workspace.</p>
    <a class="button" href={linkTo("/jobs")}>
      See all jobs
    </a>
  </Empty>
)
