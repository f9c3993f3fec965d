/** A row in the list of jobs, with the job's status and actions. */

import { languageName } from "../job/Facts.tsx"
import { linkTo } from "../Router.ts"
import { opensJobs } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { Badge, Time } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"
import { Empty } from "../ui/Empty.tsx"
import { jobActions, runAction } from "./JobActions.ts"
import { acceptedAt, hasEnded, type Job, type ListedJob, nameOf, statusLabel } from "./JobTraits.ts"
import type { SelectionChange } from "./Selection.tsx"

const millisPerSecond = 1_000

interface Props {
  readonly job: ListedJob
  /** Whether the job can be selected and changed. */
  readonly canWrite: boolean
  readonly onChanged: (job: Job) => void
  readonly isSelected: boolean
  readonly onSelect: (how: SelectionChange) => void
}

const Actions = ({ job, onChanged }: Pick<Props, "job" | "onChanged">) => (
  <div class="row-actions">
    {jobActions
      .filter(({ isPossible }) => isPossible(job))
      .map((action) => (
        <IconButton
          key={action.word}
          icon={action.icon}
          label={action.labelFor(nameOf(job))}
          title={action.word}
          onClick={() => void runAction(action, { job, onChanged })}
        />
      ))}
  </div>
)

const isBad = (status: string | undefined): boolean => status?.startsWith("FAILED") === true

/**
 * Shows the matching passage, the error with its cause, or the states of the webhook and the
 * summary.
 */
const Notes = ({ job }: { readonly job: ListedJob }) => {
  const { cause, error, summary_cause, summary_status, webhook_cause, webhook_status } = job
  const [match] = job.matches ?? []
  if (match !== undefined) {
    return (
      <span class="row-note hint" dir="auto" title={match.text}>
        {match.text}
      </span>
    )
  }
  const webhook = webhook_status && `Webhook ${webhook_status.toLowerCase()}`
  const isPending = webhook_status === "PENDING" && webhook_cause !== undefined
  const reason = isPending ? `last attempt: ${webhook_cause}` : webhook_cause
  const summary = summary_status && `Summary ${summary_status.toLowerCase()}`
  const notes = error === undefined ? [webhook, reason, summary, summary_cause] : [error, cause]
  const shown = notes.filter((note) => note !== undefined)
  const isFailed = error !== undefined || isBad(webhook_status) || isBad(summary_status)
  return (
    <span class={isFailed ? "row-note hint is-bad" : "row-note hint"} title={shown.join(" · ")}>
      {shown.length === 0 ? job.id : shown.join(" · ")}
    </span>
  )
}

/** Shows the recording's length, language and engine once they are known. */
const Columns = ({ job: { duration, engine = "", language } }: { readonly job: ListedJob }) =>
  // The cause of an early failure needs the space.
  duration === undefined && engine === "" && language === undefined ? null : (
    <span class="job-columns hint">
      <span class="row-number">
        {duration === undefined ? "" : formatSpan(Number(duration) * millisPerSecond)}
      </span>
      <span class="row-note">{language === undefined ? "" : languageName(language)}</span>
      <span class="row-note" title={engine}>
        {engine}
      </span>
    </span>
  )

/** Shows the workspace in a list of all workspaces. */
const WorkspaceLink = ({ job: { workspace_id, workspace_name } }: Pick<Props, "job">) =>
  workspace_id === undefined ? null : (
    <a class="row-workspace row-note" href={linkTo(`/workspaces/${workspace_id}`)}>
      <span class="hidden">Workspace </span>
      {workspace_name}
    </a>
  )

/** Returns the address of the job, or of the passage that matches the search. */
const addressOf = ({ id, matches = [] }: ListedJob): string => {
  const [match] = matches
  const moment = match === undefined ? "" : `/transcript?t=${Math.floor(Number(match.start))}`
  return linkTo(`/jobs/${id}${moment}`)
}

/** Shows a job's name and notes, as a link if the session can open the job. */
const Main = ({ job }: Pick<Props, "job">) => {
  const content = (
    <>
      <span class="row-title" dir="auto">
        {nameOf(job)}
      </span>
      <Notes job={job} />
    </>
  )
  return job.workspace_id === undefined || opensJobs(job.workspace_id) ? (
    <a class="row-main grow" href={addressOf(job)}>
      {content}
    </a>
  ) : (
    <div class="row-main grow">{content}</div>
  )
}

export const JobRow = ({ canWrite, isSelected, job, onChanged, onSelect }: Props) => (
  <div class="row bar">
    {canWrite ? (
      <input
        class="row-check"
        type="checkbox"
        aria-label={`Select ${nameOf(job)}`}
        checked={isSelected}
        onClick={({ currentTarget: { checked }, shiftKey }) =>
          onSelect({ isSelected: checked, isRange: shiftKey })
        }
      />
    ) : null}
    <StatusBadge job={job} />
    <Main job={job} />
    <WorkspaceLink job={job} />
    <Columns job={job} />
    <span class="row-time hint">
      <Time at={acceptedAt(job)} />
    </span>
    {canWrite ? <Actions job={job} onChanged={onChanged} /> : null}
    {job.progress === undefined || hasEnded(job) ? null : (
      <progress class="row-progress" value={job.progress} max={1} aria-label="Transcribed" />
    )}
  </div>
)

export const StatusBadge = ({ job }: { readonly job: ListedJob }) => {
  const { tone, word } = statusLabel(job.status)
  const share = job.progress
  return (
    <Badge tone={tone}>
      {word}
      {share === undefined ? null : <span class="badge-more">{Math.round(share * 100)} %</span>}
    </Badge>
  )
}

/** Shows that the job does not exist, with a link to the list. */
export const JobNotFound = () => (
  <Empty icon="trash" title="Job not found" link={{ to: "/jobs", word: "See all jobs" }}>
    <p>It was deleted, it expired, or it belongs to another workspace.</p>
  </Empty>
)
