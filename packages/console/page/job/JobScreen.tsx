/** One job: where it stands and why, and all that happened to it. */

import { isGone } from "../Api.ts"
import { deleteJob, type Reaction, redeliverJob, retryJob } from "../jobs/JobActions.ts"
import { Gone, StatusBadge } from "../jobs/JobRow.tsx"
import { isOver, isRedeliverable, isRetryable, type ListedJob, nameOf } from "../jobs/JobTraits.ts"
import { goTo, type Parameters } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Card } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Loaded } from "../ui/Empty.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useTitle } from "../ui/Theme.ts"
import { Chronicle } from "./Chronicle.tsx"
import { Facts } from "./Facts.tsx"
import { makeJobSource, type Told } from "./JobSource.ts"
import { Recording } from "./Recording.tsx"
import { Result } from "./Result.tsx"
import { whyOf } from "./Standing.ts"
import { WebhookAttempts } from "./WebhookAttempts.tsx"

const Actions = ({ job, ...reaction }: { readonly job: ListedJob } & Reaction) => {
  const remove = (): void => {
    deleteJob(job)
    goTo("/jobs")
  }
  return (
    <div class="screen-tools">
      {isRetryable(job) ? (
        <Button class="is-primary" icon="retry" onClick={() => void retryJob(job, reaction)}>
          Run again
        </Button>
      ) : null}
      {isRedeliverable(job) ? (
        <Button icon="send" onClick={() => void redeliverJob(job, reaction)}>
          Deliver again
        </Button>
      ) : null}
      <Button class="is-danger" icon="trash" onClick={remove}>
        {isOver(job) ? "Delete" : "Cancel"}
      </Button>
    </div>
  )
}

interface Given extends Told, Reaction {
  readonly isLive: boolean
}

const Whole = ({ history, isLive, job, onChanged }: Given) => (
  <>
    <div class="screen-head cluster">
      <h1 class="is-long breaks" dir="auto">
        {nameOf(job)}
      </h1>
      <StatusBadge job={job} />
      {isLive ? (
        <span class="live hint" title="What happens is seen at once">
          <span class="live-dot" aria-hidden="true" />
          Live
        </span>
      ) : null}
      {may("transcriptions:write") ? <Actions job={job} onChanged={onChanged} /> : null}
    </div>
    <p class={job.status === "FAILED" ? "why is-bad" : "why"} aria-live="polite">
      {whyOf(job, history, now.value)}
    </p>
    {job.warnings?.map(({ code, message }) => (
      <p class="why is-warn" key={code}>
        {message}.
      </p>
    ))}
    <Facts job={job} />
    <Card title="Recording">
      <Recording job={job} />
    </Card>
    {job.output === undefined ? null : (
      <Card title="What was said">
        <Result job={job} />
      </Card>
    )}
    {history.webhook_attempts.length === 0 ? null : (
      <Card title="Requests to the receiver">
        <WebhookAttempts attempts={history.webhook_attempts} />
      </Card>
    )}
    <Card title="What happened">
      <Chronicle history={history} />
    </Card>
  </>
)

/** The screen. */
export const JobScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const source = useSource(id, () => makeJobSource(id))
  const { cause, value } = source.state.value
  useTitle(value === undefined ? "Job" : nameOf(value.job))
  return (
    <>
      <Back to="/jobs" word="Jobs" />
      {isGone(cause) ? (
        <Gone />
      ) : (
        <Loaded source={source} lines={5} height={96}>
          {(told) => <Whole {...told} isLive={source.isLive.value} onChanged={source.again} />}
        </Loaded>
      )}
    </>
  )
}
