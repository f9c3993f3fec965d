/** The queue screen for operators: backlog, workers, and the health of this server. */
import { useSignal } from "@preact/signals"
import { operatorApi } from "../Api.ts"
import { causeWords, isCause } from "../jobs/JobTraits.ts"
import { linkTo } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, Card, ScreenHead, Time } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Empty, ListFault, Load, useLoaded } from "../ui/Loaded.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify, notifyFault } from "../ui/Toasts.tsx"
import { formatCount, toWords } from "../ui/Words.ts"
import { Backlog } from "./Backlog.tsx"
import { BlockerNotes, blockersIn, kindWords, type Work } from "./Blockers.tsx"
import { HealthCard } from "./HealthCard.tsx"
import type { QueueCount } from "./QueueCounts.ts"
import { EndedJobs, Trend } from "./Trend.tsx"

const pollMillis = 10_000

/** The interval at which the server records a count. */
const historyPollMillis = 60_000

const toneOf = ({ alive, outages }: Work["workers"][number]): string => {
  if (!alive) return "bad"
  return outages.length === 0 ? "good" : "warn"
}

const Workers = ({ work }: { readonly work: Work }) =>
  work.workers.length === 0 ? (
    <Empty icon="work" title="No workers are running">
      <p>
        Start one with <code>verbatim serve</code>, or with <code>VERBATIM_ROLES=worker</code> on
        another machine with the same database.
      </p>
    </Empty>
  ) : (
    <ul class="lines">
      {work.workers.map((worker) => {
        const running = Object.entries(worker.running)
        return (
          <li class="line cluster" key={worker.id}>
            <Badge tone={toneOf(worker)}>{worker.alive ? "Alive" : "Not responding"}</Badge>
            <span class="line-main">
              <span class="row-title">{worker.name}</span>
              <span class="row-note hint">
                {running.length === 0
                  ? "Idle"
                  : running.map(([task, count]) => `${kindWords(task)}: ${count}`).join(" · ")}
              </span>
              {worker.outages.map(({ cause, name }) => (
                <span class="row-note hint is-wrapped" key={name}>
                  {`Cannot use the ${name}${cause === undefined ? "." : `: ${cause}`}`}
                </span>
              ))}
            </span>
            <span class="row-note hint">
              {worker.alive ? "started " : "last seen "}
              <Time at={worker.alive ? worker.started_at : worker.seen_at} />
            </span>
          </li>
        )
      })}
    </ul>
  )

/** Tasks that can be paused here; only an embedded program has notices. */
const tasks = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const

/** How long a response to a pause takes precedence over the survey, which may be older. */
const answerMillis = 2 * pollMillis

interface Pausing {
  readonly paused: Work["paused"]
  readonly toggle: (task: Work["paused"][number]) => Promise<void>
}

const usePauses = (surveyed: Work["paused"]): Pausing => {
  const answered = useSignal<Work["paused"] | undefined>(undefined)
  const paused = answered.value ?? surveyed
  const toggle: Pausing["toggle"] = (task) =>
    once("pause", async () => {
      const others = paused.filter((each) => each !== task)
      const isPaused = paused.includes(task)
      const wanted = isPaused ? others : [...others, task]
      const answer = await operatorApi.work.pause({ tasks: wanted })
      answered.value = answer.tasks
      const said = isPaused ? "Resumed" : "Paused"
      const more = isPaused ? "" : " Workers begin no more of it within ten seconds."
      notify(`${said}: ${kindWords(task).toLowerCase()}.${more}`)
      setTimeout(() => {
        if (answered.value === answer.tasks) answered.value = undefined
      }, answerMillis)
    }).catch(notifyFault)
  return { paused, toggle }
}

const PauseButtons = ({ paused, toggle }: Pausing) => (
  <p class="cluster">
    {tasks.map((task) => (
      <Button class="is-small" key={task} onClick={() => void toggle(task)}>
        {paused.includes(task) ? "Resume" : "Pause"}: {kindWords(task).toLowerCase()}
      </Button>
    ))}
  </p>
)

/** The status of jobs that failed in a task. A failed summary does not change the status. */
const failedStatuses: Readonly<Record<string, string>> = {
  Fetch: "FAILED",
  Transcribe: "FAILED",
  Deliver: "WEBHOOK_FAILED"
}

const Reason = ({ reason, task }: Work["failures"][number]) => {
  const words = isCause(reason) ? causeWords[reason] : toWords(reason)
  // Lists do not find jobs by a failed notice.
  if (!isCause(reason) || task === "Notify") return <span class="row-title">{words}</span>
  const wanted = new URLSearchParams({ of: "all", cause: reason })
  const status = failedStatuses[task]
  if (status !== undefined) wanted.set("status", status)
  return (
    <a class="row-title" href={linkTo(`/jobs?${wanted}`)}>
      {words}
    </a>
  )
}

const Failures = ({ of }: { readonly of: Work["failures"] }) =>
  of.length === 0 ? (
    <p class="hint">No task failed permanently in the last hour.</p>
  ) : (
    <>
      <ul class="lines">
        {of.map((failure) => (
          <li class="line cluster" key={`${failure.task} ${failure.reason}`}>
            <span class="line-main">
              <Reason {...failure} />
              <span class="row-note hint">{kindWords(failure.task)}</span>
            </span>
            <span>{formatCount(failure.count)}</span>
          </li>
        ))}
        <li class="line cluster">
          <span class="line-main">Total</span>
          <span>{formatCount(of.reduce((sum, { count }) => sum + count, 0))}</span>
        </li>
      </ul>
      <a href={linkTo("/jobs?of=all&status=FAILED")}>Show the failed jobs of all workspaces</a>
    </>
  )

const countOf = ({ at, backlog }: Work): QueueCount => {
  const sumOf = (field: "due" | "leased") => backlog.reduce((sum, entry) => sum + entry[field], 0)
  return { at: Date.parse(at), due: sumOf("due"), leased: sumOf("leased") }
}

const Survey = ({ work }: { readonly work: Work }) => {
  const history = useLoaded("history", (signal) => operatorApi.work.queueHistory({ signal }), {
    everyMillis: historyPollMillis
  })
  const past = history.state.value
  const pauses = usePauses(work.paused)
  return (
    <>
      <BlockerNotes blockers={blockersIn({ ...work, paused: pauses.paused })} />
      <Card title="Queue over time">
        <Trend samples={past.value ?? []} current={countOf(work)} />
        <ListFault
          fault={past.fault && `The earlier counts cannot be read: ${past.fault}`}
          again={() => void history.reload()}
        />
      </Card>
      <Card title="Queue by type">
        <Backlog kinds={work.backlog} at={work.at} paused={pauses.paused} />
        <PauseButtons {...pauses} />
      </Card>
      <Card title="Ended jobs in the last 24 hours">
        <EndedJobs hours={work.hours} at={work.at} />
      </Card>
      <Card title="Failures in the last hour">
        <Failures of={work.failures} />
      </Card>
      <Card title="Workers">
        <Workers work={work} />
      </Card>
    </>
  )
}

export const QueueScreen = () => {
  void now.value
  return (
    <>
      <ScreenHead title="Queue" />
      <Load
        of="work"
        read={(signal) => operatorApi.work.survey({ signal })}
        everyMillis={pollMillis}
        lines={3}
        height={160}
      >
        {(work) => <Survey work={work} />}
      </Load>
      <HealthCard />
    </>
  )
}
