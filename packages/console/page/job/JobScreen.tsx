/** One job: where it stands and why, the way it took, and all that happened to it. */
import { useEffect } from "preact/hooks"
import { api } from "../Api.ts"
import { deleteJob, redeliverJob, retryJob } from "../jobs/JobActions.ts"
import { isOver, isRedeliverable, isRetryable, type Job, nameOf } from "../jobs/JobTraits.ts"
import { StatusBadge } from "../jobs/StatusBadge.tsx"
import { goTo, linkTo, type Parameters } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Card } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Fault, Skeleton } from "../ui/Empty.tsx"
import { Icon } from "../ui/Icon.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { Scroll } from "../ui/Scroll.tsx"
import { toWords } from "../ui/Words.ts"
import { Chronicle } from "./Chronicle.tsx"
import { Diagram } from "./Diagram.tsx"
import { Facts } from "./Facts.tsx"
import { followPath, type History, machines } from "./Machines.ts"
import { Result } from "./Result.tsx"
import { whyOf } from "./Standing.ts"
import { WebhookAttempts } from "./WebhookAttempts.tsx"

/** How soon a change is seen while something may change. */
const pollMillis = 2_000

interface Told {
  readonly job: Job
  readonly history: History
}

const fetchJob =
  (id: string) =>
  async (signal: AbortSignal): Promise<Told> => {
    const [job, history] = await Promise.all([
      api.transcriptions.get(id, { signal }),
      api.transcriptions.history(id, { signal })
    ])
    return { job, history }
  }

const Actions = ({ job, onChanged }: { readonly job: Job; readonly onChanged: () => void }) => {
  const reaction = { onChanged, onHidden: () => goTo("/jobs"), onShown: () => {} }
  return (
    <div class="screen-tools">
      {isRetryable(job) ? (
        <button
          type="button"
          class="button is-primary"
          onClick={() => void retryJob(job, reaction)}
        >
          <Icon name="retry" />
          Run again
        </button>
      ) : null}
      {isRedeliverable(job) ? (
        <button type="button" class="button" onClick={() => void redeliverJob(job, reaction)}>
          <Icon name="send" />
          Deliver again
        </button>
      ) : null}
      <button type="button" class="button is-danger" onClick={() => deleteJob(job, reaction)}>
        <Icon name="trash" />
        {isOver(job) ? "Delete" : "Cancel"}
      </button>
    </div>
  )
}

const Way = ({ history, job }: Told) => (
  <Card title="The way it took">
    {machines
      .filter(({ about }) => (about === "summary" ? job.summary_status : "") !== undefined)
      .filter(({ about }) => (about === "webhook" ? job.webhook_status : "") !== undefined)
      .map((machine) => {
        const path = followPath(machine, job, history.events)
        return (
          <figure class="machine" key={machine.about}>
            <figcaption>
              <b>{machine.title}</b>{" "}
              <span class="hint">now {toWords(path.state).toLowerCase()}</span>
            </figcaption>
            <Scroll label={`${machine.title}, drawn`}>
              <Diagram machine={machine} path={path} />
            </Scroll>
          </figure>
        )
      })}
  </Card>
)

const Whole = ({ history, job, onChanged }: Told & { readonly onChanged: () => void }) => (
  <>
    <div class="screen-head">
      <h1 class="is-long">{nameOf(job)}</h1>
      <StatusBadge job={job} />
      {may("transcriptions:write") ? <Actions job={job} onChanged={onChanged} /> : null}
    </div>
    <p class="why" aria-live="polite">
      {whyOf(job, history, now.value)}
    </p>
    <Facts job={job} history={history} />
    <Way job={job} history={history} />
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
  const source = useSource(id, () => makeSource(fetchJob(id), { everyMillis: pollMillis }))
  const { fault, value } = source.state.value
  const title = value === undefined ? "Job" : nameOf(value.job)
  useEffect(() => {
    document.title = `${title} – Verbatim`
  }, [title])
  return (
    <>
      <a class="back" href={linkTo("/jobs")}>
        <Icon name="back" />
        Jobs
      </a>
      {fault === undefined ? null : <Fault text={fault} again={() => void source.reload()} />}
      {value === undefined && fault === undefined ? <Skeleton lines={5} height={96} /> : null}
      {value === undefined ? null : <Whole {...value} onChanged={() => void source.reload()} />}
    </>
  )
}
