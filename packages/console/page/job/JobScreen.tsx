/** The job screen: the status and its reason, the result, the recording and the history. */
import { Downloads } from "../jobs/Downloads.tsx"
import { jobActions, runAction } from "../jobs/JobActions.ts"
import { jobNotFound, StatusBadge } from "../jobs/JobRow.tsx"
import { hasEnded, type JobDetails, type ListedJob, nameOf } from "../jobs/JobTraits.ts"
import { goTo, type Parameters, withLastQuery } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Badge, ButtonLink, Card, ScreenHead, Table, Time } from "../ui/Card.tsx"
import { formatSpan, now } from "../ui/Clock.ts"
import { deletedItems } from "../ui/Deferred.ts"
import { Loaded, useSource } from "../ui/Loaded.tsx"
import { formatSize } from "../ui/Words.ts"
import { useBlockers } from "../work/Blockers.tsx"
import { FactList, factsOf } from "./Facts.tsx"
import { HistoryList } from "./HistoryList.tsx"
import type { History, LoadedJob } from "./JobHistory.ts"
import { makeJobSource } from "./JobSource.ts"
import { PartialResult } from "./PartialResult.tsx"
import { Recording } from "./Recording.tsx"
import { statusReason } from "./StatusReason.ts"

type ActionsProps = Readonly<{ job: ListedJob; refresh: () => Promise<unknown> }>
const Actions = ({ job, refresh }: ActionsProps) => (
  <>
    {jobActions
      .filter(({ isPossible }) => isPossible(job))
      .map((action) => (
        <Button
          key={action.word}
          class={action.look}
          icon={action.icon}
          onClick={async () => {
            const isGone = () => deletedItems.value.has(job.id)
            const refreshIfShown = async () => isGone() || refresh()
            await runAction(action, { jobs: [job], refresh: refreshIfShown })
            // After a delete, the page shows the list, which reports the delete and offers undo.
            if (isGone()) goTo(withLastQuery("/jobs"))
          }}
          word={action.word}
        />
      ))}
  </>
)

const toneOf = ({ status, summary_status = "", webhook_status }: ListedJob): string => {
  if (status === "FAILED") return "is-bad"
  return webhook_status === "FAILED" || summary_status.startsWith("FAILED") ? "is-warn" : ""
}

const notesOf = ({ keywords_used, speakers_used, warnings = [] }: JobDetails) =>
  [
    ...warnings.map(({ message }) => message),
    speakers_used === false &&
      "The number of speakers was not used, because the engine does not accept one",
    keywords_used === false &&
      "The names and terms to expect were not used, because the engine does not accept any"
  ].filter((note) => note !== false)

const segmentMax = 8

const Result = ({ job }: { readonly job: JobDetails }) => {
  const texts = job.output?.list.map(({ text }) => text.trim()) ?? []
  return (
    <Card title="Transcript">
      {job.summary === undefined ? null : (
        <blockquote class="tip" dir="auto">
          {job.summary}
        </blockquote>
      )}
      {texts.length === 0 ? (
        <p class="hint">No speech was recognised.</p>
      ) : (
        <>
          <p class="excerpt" dir="auto">
            {texts.slice(0, segmentMax).join(" ")}
            {texts.length > segmentMax ? " …" : ""}
          </p>
          <p>
            <ButtonLink to={`/jobs/${job.id}/transcript`} icon="wave" word="Open transcript" />
          </p>
        </>
      )}
      <Downloads job={job} />
    </Card>
  )
}

type Attempt = History["webhook_attempts"][number]
const Answer = ({ cause, duration_ms, error, status_code: code }: Attempt) => {
  const isAccepted = code !== null && code >= 200 && code < 300
  const none = duration_ms === null ? "in progress" : (error ?? "no response")
  return (
    <>
      <span class={`badge is-${isAccepted ? "good" : "warn"}`}>{code ?? none}</span>
      {cause === undefined ? null : <span class="row-note hint is-wrapped">{cause}</span>}
    </>
  )
}

const WebhookAttempts = ({ attempts }: { readonly attempts: ReadonlyArray<Attempt> }) => (
  <Table
    label="Webhook requests, as a table"
    rows={attempts}
    keyOf={({ attempt, delivery }) => `${delivery} ${attempt}`}
    columns={[
      { title: "Delivery", cell: ({ delivery }) => delivery },
      { title: "Attempt", cell: ({ attempt }) => attempt },
      { title: "Started", cell: ({ started_at }) => <Time at={started_at} isExact /> },
      {
        title: "Duration",
        cell: ({ duration_ms: millis }) => (millis === null ? "–" : formatSpan(millis)),
        isNumber: true
      },
      {
        title: "Size",
        cell: ({ bytes }) => (bytes === undefined ? "–" : formatSize(bytes)),
        isNumber: true
      },
      { title: "Response", cell: Answer }
    ]}
  />
)

interface Props extends LoadedJob {
  readonly isLive: boolean
  readonly refresh: () => Promise<unknown>
}

const JobView = ({ history, isLive, job, refresh }: Props) => {
  const blockers = useBlockers(!hasEnded(job))
  const standing = (
    <>
      <StatusBadge job={job} />
      {isLive && !hasEnded(job) ? <Badge tone="live">Live</Badge> : null}
    </>
  )
  return (
    <>
      <ScreenHead title={nameOf(job)} beside={standing}>
        {can("transcriptions:write") && <Actions job={job} refresh={refresh} />}
      </ScreenHead>
      <p class={`why ${toneOf(job)}`.trim()} aria-live="polite">
        {statusReason(job, history, { now: now.value, blockers })}
      </p>
      {notesOf(job).map((note) => (
        <p class="why is-warn" key={note}>
          {note}.
        </p>
      ))}
      {job.output && <Result job={job} />}
      {job.partial_output && (
        <Card title="Transcript so far">
          <PartialResult partial={job.partial_output} />
        </Card>
      )}
      <FactList facts={factsOf(job)} />
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
}

export const JobScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const source = useSource(id, () => makeJobSource(id))
  return (
    <>
      <Back to="/jobs" word="Jobs" />
      <Loaded source={source} lines={5} height={96} missing={jobNotFound}>
        {(loaded) => <JobView {...loaded} isLive={source.isLive.value} refresh={source.reload} />}
      </Loaded>
    </>
  )
}
