/** The queue screen for operators: backlog, workers, and the health of this server. */
import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { useRef } from "preact/hooks"
import { operatorApi } from "../Api.ts"
import { causeWords, isCause } from "../jobs/JobTraits.ts"
import { linkTo } from "../Router.ts"
import { coalesce, subscribe } from "../Subscription.ts"
import { hasWorkspace } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, Card, Line, ScreenHead, ScrollTable, Time } from "../ui/Card.tsx"
import { dayMillis, formatSpan, now } from "../ui/Clock.ts"
import { useOpening } from "../ui/Forms.tsx"
import { Empty, ListFault, Load, Loaded, makeSource, useLoaded, useSource } from "../ui/Loaded.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify, notifyFault } from "../ui/Toasts.tsx"
import { formatCount, shortId, toWords } from "../ui/Words.ts"
import { useNames } from "../usage/UsagePanel.tsx"
import { BlockerNotes, blockersIn, fetchHealth, kindWords, type Work } from "./Blockers.tsx"
import type { Sample } from "./QueueCounts.ts"
import { EndedJobs, Trend } from "./Trend.tsx"

const pollMillis = 60_000

/** Minimum time between two surveys. */
const restMillis = 10_000

/** Reads the survey once a minute, and after events in the session's own workspace. */
const makeSurvey = () => {
  const read = (signal: AbortSignal) => operatorApi.work.survey({ signal })
  const source = makeSource(read, { everyMillis: pollMillis })
  const { ended } = source
  if (hasWorkspace.peek()) {
    const onEvent = coalesce({ ended, restMillis: () => restMillis }, () => void source.reload())
    subscribe({ ended, onEvent })
  }
  return source
}

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
        const { alive, id, name, outages, running, seen_at, started_at } = worker
        const tasks = Object.entries(running).map(([task, count]) => `${kindWords(task)}: ${count}`)
        const end = (
          <span class="row-note hint">
            {alive ? "started " : "last seen "}
            <Time at={alive ? started_at : seen_at} />
          </span>
        )
        const badge = <Badge tone={toneOf(worker)}>{alive ? "Alive" : "Not responding"}</Badge>
        return (
          <Line key={id} badge={badge} title={name} end={end}>
            {tasks.join(" · ") || "Idle"}
            {outages.map(({ cause, name }) => (
              <div key={name}>
                Cannot use the {name}
                {cause === undefined ? "." : `: ${cause}`}
              </div>
            ))}
          </Line>
        )
      })}
    </ul>
  )

/** Tasks that can be paused here; only an embedded program has notices. */
const tasks = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const

/** How long a response to a pause takes precedence over a survey, which may be older. */
const answerMillis = 2 * restMillis

const usePauses = ({ at, paused: surveyed }: Work) => {
  const answered = useSignal<Pick<Work, "at" | "paused"> | undefined>(undefined)
  const { at: since = "", paused: answer = [] } = answered.value ?? {}
  const paused = Date.parse(at) - Date.parse(since) < answerMillis ? answer : surveyed
  const toggle = (task: (typeof tasks)[number]) =>
    once("pause", async () => {
      const others = paused.filter((each) => each !== task)
      const isPaused = paused.includes(task)
      const wanted = isPaused ? others : [...others, task]
      answered.value = { at, paused: (await operatorApi.work.pause({ tasks: wanted })).tasks }
      const said = isPaused ? "Resumed" : "Paused"
      const more = isPaused ? "" : " Workers begin no more of it within ten seconds."
      notify(`${said}: ${kindWords(task).toLowerCase()}.${more}`)
    }).catch(notifyFault)
  return { paused, toggle }
}

const Reason = ({ reason, task }: Work["failures"][number]) => {
  const words = isCause(reason) ? causeWords[reason] : toWords(reason)
  // Lists do not find jobs by a failed notice.
  if (!isCause(reason) || task === "Notify") return <>{words}</>
  const wanted = new URLSearchParams({ of: "all", cause: reason })
  // A failed summary does not change the job's status.
  if (task === "Deliver") wanted.set("status", "WEBHOOK_FAILED")
  else if (task === "Fetch" || task === "Transcribe") wanted.set("status", "FAILED")
  return <a href={linkTo(`/jobs?${wanted}`)}>{words}</a>
}

const Failures = ({ of }: { readonly of: Work["failures"] }) =>
  of.length === 0 ? (
    <p class="hint">No task failed permanently in the last hour.</p>
  ) : (
    <>
      <ul class="lines">
        {of.map((failure) => (
          <Line
            key={`${failure.task} ${failure.reason}`}
            title={<Reason {...failure} />}
            end={formatCount(failure.count)}
          >
            {kindWords(failure.task)}
          </Line>
        ))}
        <Line title="Total" end={formatCount(of.reduce((sum, { count }) => sum + count, 0))}>
          Includes failures of jobs that were run again or deleted later.
        </Line>
      </ul>
      <a href={linkTo("/jobs?of=all&status=FAILED")}>Show the failed jobs of all workspaces</a>
    </>
  )

const countOf = ({ at, backlog }: Work): Sample => {
  const sumOf = (field: "due" | "leased") => backlog.reduce((sum, entry) => sum + entry[field], 0)
  return { at, due: sumOf("due"), leased: sumOf("leased") }
}

/** The earlier counts, to which the surveys add. They are read again when the tab is shown. */
const usePast = (current: Sample) => {
  const read = (signal: AbortSignal) => operatorApi.work.queueHistory({ signal })
  const history = useLoaded("history", read, { everyMillis: dayMillis })
  const counts = useRef<ReadonlyArray<Sample>>([])
  if (counts.current.at(-1)?.at !== current.at) counts.current = [...counts.current, current]
  const { fault, value = [] } = history.state.value
  const until = value.at(-1)?.at ?? ""
  return {
    fault,
    reload: history.reload,
    samples: [...value, ...counts.current.filter(({ at }) => at > until)]
  }
}

const Survey = ({ work }: { readonly work: Work }) => {
  const current = countOf(work)
  const past = usePast(current)
  const names = useNames({ isOperator: true, by: "workspace" })
  const { paused, toggle } = usePauses(work)
  return (
    <>
      <BlockerNotes blockers={blockersIn({ ...work, paused })} />
      <Card title="Queue over time">
        <Trend samples={past.samples} current={{ ...current, at: Date.parse(work.at) }} />
        <ListFault
          fault={past.fault && `The earlier counts cannot be read: ${past.fault}`}
          again={() => void past.reload()}
        />
      </Card>
      <Card title="Queue by type">
        {work.backlog.length === 0 ? (
          <p class="hint">The queue is empty: no job is waiting.</p>
        ) : (
          <ScrollTable
            label="Queue by type, as a table"
            head={[
              { title: "Type and destination" },
              ...["Due", "Running", "Scheduled", "Oldest waiting"].map(toNumbers)
            ]}
          >
            {work.backlog.map((entry) => (
              <Kind
                key={entry.kind}
                at={work.at}
                entry={entry}
                names={names}
                isPaused={paused.some((task) => task === entry.kind)}
              />
            ))}
          </ScrollTable>
        )}
        <p class="cluster">
          {tasks.map((task) => (
            <Button class="is-small" key={task} onClick={() => void toggle(task)}>
              {paused.includes(task) ? "Resume" : "Pause"}: {kindWords(task).toLowerCase()}
            </Button>
          ))}
        </p>
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
  const source = useSource("work", makeSurvey)
  return (
    <>
      <ScreenHead title="Queue" />
      <Load of="health" read={(signal) => fetchHealth("operator", signal)} everyMillis={pollMillis}>
        {(health) => <Report health={health} />}
      </Load>
      <Loaded source={source} lines={3} height={160}>
        {(work) => <Survey work={work} />}
      </Loaded>
    </>
  )
}

type KindBacklog = components["schemas"]["Backlog"]
type LaneBacklog = components["schemas"]["LaneBacklog"]

const lanesAtFirst = 3

const sumOf = ({ due, later, leased }: Omit<LaneBacklog, "lane" | "workspace_id">): number =>
  due + later + leased

type CountsProps = Readonly<{ of: KindBacklog | LaneBacklog; at: string }>
const Counts = ({ at, of: { due, due_since, later, leased } }: CountsProps) => (
  <>
    <td class="is-number">{formatCount(due)}</td>
    <td class="is-number">{formatCount(leased)}</td>
    <td class="is-number">{formatCount(later)}</td>
    <td class="is-number">
      {due_since === null ? "–" : formatSpan(Math.max(0, Date.parse(at) - Date.parse(due_since)))}
    </td>
  </>
)

type Counted = Readonly<{ at: string; names: ReadonlyMap<string, string> }>
type KindProps = Counted & Readonly<{ entry: KindBacklog; isPaused: boolean }>
const Kind = ({ at, entry, isPaused, names }: KindProps) => {
  const { isOpen, toggle } = useOpening()
  const { kind, lane_count, lanes } = entry
  const shown = isOpen.value ? lanes : lanes.slice(0, lanesAtFirst)
  const unsent = lane_count - lanes.length
  const showLane = (lane: LaneBacklog) => (
    <tr class="backlog-lane" key={`${lane.workspace_id} ${lane.lane}`}>
      <th scope="row">
        <span class="backlog-what apart">
          <span class="backlog-name">{lane.lane}</span>
          {lane.workspace_id === "" ? null : (
            <a href={linkTo(`/workspaces/${lane.workspace_id}`)} title={lane.workspace_id}>
              Workspace {names.get(lane.workspace_id) ?? shortId(lane.workspace_id)}
            </a>
          )}
          <progress value={sumOf(lane)} max={sumOf(entry)} aria-hidden="true" />
        </span>
      </th>
      <Counts of={lane} at={at} />
    </tr>
  )
  return (
    <tbody>
      <tr>
        <th scope="row">
          {kindWords(kind)} {isPaused ? <Badge tone="warn">Paused</Badge> : null}
        </th>
        <Counts of={entry} at={at} />
      </tr>
      {shown.map(showLane)}
      {lanes.length > lanesAtFirst ? (
        <tr class="backlog-lane">
          <td colSpan={5}>
            <Button class="is-small" aria-expanded={isOpen.value} onClick={toggle}>
              {isOpen.value ? "Show fewer" : `Show ${lanes.length - lanesAtFirst} more`}
              <span class="hidden">: {kindWords(kind).toLowerCase()}</span>
            </Button>
            {isOpen.value && unsent > 0 ? (
              <span class="hint"> {unsent} others have fewer tasks.</span>
            ) : null}
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}

const toNumbers = (title: string) => ({ title, isNumber: true })

type Health = components["schemas"]["Health"]

const partsOf = ({ media, store, transcriber, worker }: Health) => {
  const state = worker?.outages.length === 0 ? "ready" : "waiting"
  return [
    { name: "Database", word: store, detail: "" },
    { name: "Media store", word: media.status, detail: media.detail },
    transcriber && { name: "Speech engine", word: transcriber.status, detail: transcriber.detail },
    worker && { name: "Worker in this process", word: state, detail: "" }
  ].filter((part) => part !== null)
}

const Report = ({ health }: { readonly health: Health }) => {
  const { reasons } = health
  return (
    <Card title="This server">
      {reasons.length === 0 ? (
        <p class="hint">Everything that this server needs is available.</p>
      ) : (
        <ul class="note stack-2">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <ul class="lines">
        {partsOf(health).map(({ detail, name, word }) => {
          const tone = word === "ready" || word === "up" ? "good" : "bad"
          return (
            <Line key={name} badge={<Badge tone={tone}>{toWords(word)}</Badge>} title={name}>
              {/* A reason that is listed is not repeated. */}
              {reasons.includes(detail) ? "" : detail}
            </Line>
          )
        })}
      </ul>
    </Card>
  )
}
