/** The job screen: the status with its reason, and everything that happened to the job. */

import { isGone } from "../Api.ts"
import { type ActionHandlers, deleteJobs, redeliverJob, retryJob } from "../jobs/JobActions.ts"
import { JobNotFound, StatusBadge } from "../jobs/JobRow.tsx"
import {
  hasEnded,
  isRedeliverable,
  isRetryable,
  type ListedJob,
  nameOf
} from "../jobs/JobTraits.ts"
import { goTo, type Parameters } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Card } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Loaded } from "../ui/Empty.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useTitle } from "../ui/Theme.ts"
import { Facts } from "./Facts.tsx"
import { HistoryList } from "./HistoryList.tsx"
import { countPieces } from "./JobHistory.ts"
import { makeJobSource } from "./JobSource.ts"
import { PartialResult } from "./PartialResult.tsx"
import type { LoadedJob } from "./PartialText.ts"
import { Recording } from "./Recording.tsx"
import { Result } from "./Result.tsx"
import { statusReason } from "./StatusReason.ts"
import { WebhookAttempts } from "./WebhookAttempts.tsx"

const Actions = ({ job, ...handlers }: { readonly job: ListedJob } & ActionHandlers) => {
  const remove = (): void => {
    deleteJobs([job])
    goTo("/jobs")
  }
  return (
    <div class="screen-tools">
      {isRetryable(job) ? (
        <Button class="is-primary" icon="retry" onClick={() => void retryJob(job, handlers)}>
          Run again
        </Button>
      ) : null}
      {isRedeliverable(job) ? (
        <Button icon="send" onClick={() => void redeliverJob(job, handlers)}>
          Deliver again
        </Button>
      ) : null}
      <Button class="is-danger" icon="trash" onClick={remove}>
        {hasEnded(job) ? "Delete" : "Cancel"}
      </Button>
    </div>
  )
}

const Pieces = ({ history }: Pick<LoadedJob, "history">) => {
  const pieces = countPieces(history)
  return pieces === undefined ? null : (
    <span class="hint">{`${pieces.done} of ${pieces.total} pieces`}</span>
  )
}

/** The tone of the sentence that explains the status. */
const toneOf = ({ status, summary_status = "", webhook_status }: ListedJob): string => {
  if (status === "FAILED") return "is-bad"
  return webhook_status === "FAILED" || summary_status.startsWith("FAILED") ? "is-warn" : ""
}

interface Props extends LoadedJob, ActionHandlers {
  readonly isLive: boolean
}

const JobView = ({ history, isLive, job, onChanged }: Props) => (
  <>
    <div class="screen-head cluster">
      <h1 class="is-long breaks" dir="auto">
        {nameOf(job)}
      </h1>
      <StatusBadge job={job} />
      {job.duration === undefined ? <Pieces history={history} /> : null}
      {isLive && !hasEnded(job) ? (
        <span class="live hint" title="Changes appear immediately">
          <span class="live-dot" aria-hidden="true" />
          Live
        </span>
      ) : null}
      {can("transcriptions:write") ? <Actions job={job} onChanged={onChanged} /> : null}
    </div>
    <p class={`why ${toneOf(job)}`.trim()} aria-live="polite">
      {statusReason(job, history, now.value)}
    </p>
    {job.warnings?.map(({ code, message }) => (
      <p class="why is-warn" key={code}>
        {message}.
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

/** Shows the screen. */
export const JobScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const source = useSource(id, () => makeJobSource(id))
  const { cause, value } = source.state.value
  useTitle(value === undefined ? "Job" : nameOf(value.job))
  return (
    <>
      <Back to="/jobs" word="Jobs" />
      {isGone(cause) ? (
        <JobNotFound />
      ) : (
        <Loaded source={source} lines={5} height={96}>
          {(loaded) => (
            <JobView {...loaded} isLive={source.isLive.value} onChanged={source.follow} />
          )}
        </Loaded>
      )}
    </>
  )
}
