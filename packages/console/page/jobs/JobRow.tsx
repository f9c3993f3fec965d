/** A row in the list of jobs, with the job's status and actions. */
import { languageName } from "../job/Facts.tsx"
import { linkTo } from "../Router.ts"
import { opensJobs } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { Badge, RowTitle, Time } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"
import { jobActions, runAction } from "./JobActions.ts"
import { hasEnded, type ListedJob, nameOf, statusLabel } from "./JobTraits.ts"
import type { SelectionChange } from "./Selection.tsx"

interface Props {
  readonly job: ListedJob
  readonly canWrite: boolean
  readonly refresh: () => Promise<unknown>
  readonly isSelected: boolean
  readonly onSelect: (how: SelectionChange) => void
}

const isBad = (status: string | undefined): boolean => status?.startsWith("FAILED") === true

const notesOf = (job: ListedJob): ReadonlyArray<string | undefined> => {
  const { cause, error, summary_cause, summary_status, webhook_cause, webhook_status } = job
  const [match] = job.matches ?? []
  if (match !== undefined) return [match.text]
  if (error !== undefined) return [error, cause]
  const isPending = webhook_status === "PENDING" && webhook_cause !== undefined
  return [
    webhook_status && `Webhook ${webhook_status.toLowerCase()}`,
    isPending ? `last attempt: ${webhook_cause}` : webhook_cause,
    summary_status && `Summary ${summary_status.toLowerCase()}`,
    summary_cause
  ]
}

const Main = ({ job }: Pick<Props, "job">) => {
  const { error, id, matches = [], summary_status, webhook_status, workspace_id } = job
  const [match] = matches
  const isFailed = error !== undefined || isBad(webhook_status) || isBad(summary_status)
  const notes = notesOf(job).filter((note) => note !== undefined)
  const text = notes.join(" · ")
  const content = (
    <>
      <RowTitle>{nameOf(job)}</RowTitle>
      <span
        class={isFailed && match === undefined ? "row-note hint is-bad" : "row-note hint"}
        dir={match && "auto"}
        title={text}
      >
        {text || id}
      </span>
    </>
  )
  // The link opens the job, or the passage that matches the search.
  const moment = match && `/transcript?t=${Math.floor(Number(match.start))}`
  return workspace_id === undefined || opensJobs(workspace_id) ? (
    <a class="row-main grow" href={linkTo(`/jobs/${id}${moment ?? ""}`)}>
      {content}
    </a>
  ) : (
    <div class="row-main grow">{content}</div>
  )
}

const Columns = ({ job: { duration, engine = "", language } }: Pick<Props, "job">) =>
  // The cause of an early failure needs the space.
  duration === undefined && engine === "" && language === undefined ? null : (
    <span class="job-columns hint">
      <span class="row-number">
        {duration === undefined ? "" : formatSpan(Number(duration) * 1_000)}
      </span>
      <span class="row-note">{language === undefined ? "" : languageName(language)}</span>
      <span class="row-note" title={engine}>
        {engine}
      </span>
    </span>
  )

export const JobRow = ({ canWrite, isSelected, job, onSelect, refresh }: Props) => (
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
    {job.workspace_id === undefined ? null : (
      <a class="row-workspace row-note" href={linkTo(`/workspaces/${job.workspace_id}`)}>
        <span class="hidden">Workspace </span>
        {job.workspace_name}
      </a>
    )}
    <Columns job={job} />
    <Time class="row-time hint" at={job.created_at ?? ""} />
    {canWrite ? (
      <div class="row-actions">
        {jobActions
          .filter(({ isPossible }) => isPossible(job))
          .map((action) => (
            <IconButton
              key={action.word}
              icon={action.icon}
              label={action.labelFor(nameOf(job))}
              title={action.word}
              onClick={() => void runAction(action, { jobs: [job], refresh })}
            />
          ))}
      </div>
    ) : null}
    {job.progress === undefined || hasEnded(job) ? null : (
      <progress class="row-progress" value={job.progress} max={1} aria-label="Transcribed" />
    )}
  </div>
)

export const StatusBadge = ({ job: { progress, status, summary_status } }: Pick<Props, "job">) => {
  const isPartial = status === "COMPLETED" && isBad(summary_status)
  const { tone, word } = isPartial ? { tone: "warn", word: "No summary" } : statusLabel(status)
  return (
    <Badge tone={tone}>
      {word}
      {progress === undefined || <span class="badge-more">{Math.round(progress * 100)} %</span>}
    </Badge>
  )
}

export const jobNotFound = {
  icon: "trash",
  title: "Job not found",
  link: { to: "/jobs", word: "See all jobs" },
  children: <p>It was deleted, it expired, or it belongs to another workspace.</p>
} as const
