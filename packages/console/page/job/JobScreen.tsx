/**
 * The job screen: a job's status, the reason for the status, and everything that happened to the
 * job.
 */

import { jobActions, runAction } from "../jobs/JobActions.ts"
import { JobNotFound, StatusBadge } from "../jobs/JobRow.tsx"
import { hasEnded, type Job, type JobDetails, type ListedJob, nameOf } from "../jobs/JobTraits.ts"
import { goTo, type Parameters, withLastQuery } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Card, ScreenHead } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { deletedItems } from "../ui/Deferred.ts"
import { Loaded } from "../ui/Empty.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useTitle } from "../ui/Theme.ts"
import { useBlockers } from "../work/Blockers.tsx"
import { Facts } from "./Facts.tsx"
import { HistoryList } from "./HistoryList.tsx"
import type { LoadedJob } from "./JobHistory.ts"
import { makeJobSource } from "./JobSource.ts"
import { PartialResult } from "./PartialResult.tsx"
import { Recording } from "./Recording.tsx"
import { Result } from "./Result.tsx"
import { statusReason } from "./StatusReason.ts"
import { WebhookAttempts } from "./WebhookAttempts.tsx"

interface ActionsProps {
  readonly job: ListedJob
  readonly onChanged: (job: Job) => void
}

const Actions = ({ job, onChanged }: ActionsProps) => (
  <>
    {jobActions
      .filter(({ isPossible }) => isPossible(job))
      .map((action) => (
        <Button
          key={action.word}
          class={action.look}
          icon={action.icon}
          onClick={async () => {
            // After a delete, the page shows the list, which reports the delete and offers undo.
            await runAction(action, { jobs: [job], onChanged })
            if (deletedItems.value.has(job.id)) goTo(withLastQuery("/jobs"))
          }}
        >
          {action.word}
        </Button>
      ))}
  </>
)

/** Returns the colour for the sentence that explains the status. */
const toneOf = ({ status, summary_status = "", webhook_status }: ListedJob): string => {
  if (status === "FAILED") return "is-bad"
  return webhook_status === "FAILED" || summary_status.startsWith("FAILED") ? "is-warn" : ""
}

/** Returns what was not transcribed, and what was requested but not used. */
const notesOf = ({ keywords_used, speakers_used, warnings = [] }: JobDetails) => [
  ...warnings.map(({ message }) => message),
  ...(speakers_used === false
    ? ["The number of speakers was not used, because the engine does not accept one"]
    : []),
  ...(keywords_used === false
    ? ["The names and terms to expect were not used, because the engine does not accept any"]
    : [])
]

interface Props extends LoadedJob {
  readonly isLive: boolean
  readonly onChanged: (job: Job) => void
}

/** Shows the status, and whether updates are live. */
const Standing = ({ isLive, job }: Pick<Props, "isLive" | "job">) => (
  <>
    <StatusBadge job={job} />
    {isLive && !hasEnded(job) ? (
      <span class="live hint" title="Changes appear immediately">
        <span class="live-dot" aria-hidden="true" />
        Live
      </span>
    ) : null}
  </>
)

const Reason = ({ history, job }: Pick<Props, "history" | "job">) => {
  const blockers = useBlockers(!hasEnded(job))
  return (
    <p class={`why ${toneOf(job)}`.trim()} aria-live="polite">
      {statusReason(job, history, { now: now.value, blockers })}
    </p>
  )
}

const JobView = ({ history, isLive, job, onChanged }: Props) => (
  <>
    <ScreenHead title={nameOf(job)} beside={<Standing isLive={isLive} job={job} />}>
      {can("transcriptions:write") ? <Actions job={job} onChanged={onChanged} /> : null}
    </ScreenHead>
    <Reason history={history} job={job} />
    {notesOf(job).map((note) => (
      <p class="why is-warn" key={note}>
        {note}.
      </p>
    ))}
    {job.output === undefined ? null : (
      <Card title="Transcript">
        <Result job={job} />
      </Card>
    )}
    {job.partial_output === undefined ? null : (
      <Card title="Transcript so far">
        <PartialResult partial={job.partial_output} />
      </Card>
    )}
    <Facts job={job} />
    <Card title="Recording">
      <Recording job={job} />
    </Card>
    {history.webhook_attempts.length === 0 ? null : (
      <Card title="Webhook requests">
        <WebhookAttempts attempts={history.webhook_attempts} />
      </Card>
    )}
    <Card title="History">
      <HistoryList history={history} />
    </Card>
  </>
)

export const JobScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const source = useSource(id, () => makeJobSource(id))
  const { value } = source.state.value
  useTitle(value === undefined ? "Job" : nameOf(value.job))
  return (
    <>
      <Back to="/jobs" word="Jobs" />
      <Loaded source={source} lines={5} height={96} missing={<JobNotFound />}>
        {(loaded) => <JobView {...loaded} isLive={source.isLive.value} onChanged={source.follow} />}
      </Loaded>
    </>
  )
}
