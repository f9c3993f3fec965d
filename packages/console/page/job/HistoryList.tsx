/** Shows a job's history, oldest first, with the time between events. */
import { Time } from "../ui/Card.tsx"
import { formatClock, formatDay, formatSpan, formatWhen, isSameDay, now } from "../ui/Clock.ts"
import { toWords } from "../ui/Words.ts"
import { describePieces, type History, isPiece, type JobEvent } from "./JobHistory.ts"

const phrases: Readonly<Record<string, string>> = {
  attempt_started: "started",
  attempt_released: "released, not counted",
  attempt_postponed: "postponed, not counted",
  attempt_lost: "worker lost",
  retry_scheduled: "will be retried",
  media_stored: "recording stored",
  transcript_produced: "transcript ready",
  summary_produced: "ready",
  summary_skipped: "skipped",
  receiver_accepted: "accepted by the receiver"
}

const troubles = new Set(
  "given_up attempt_lost attempt_postponed retry_scheduled summary_skipped".split(" ")
)

const detailsOf = (event: JobEvent): string => {
  const { at, cause, due_at, duration, engine, error, language, reason, status_code } = event
  return [
    error,
    cause,
    reason,
    status_code && `response ${status_code}`,
    engine,
    language,
    duration && `${duration} s of audio`,
    due_at && `next attempt due at ${formatWhen(new Date(due_at), Date.parse(at))}`
  ]
    .filter(Boolean)
    .join(" · ")
}

const isFetch = ({ events, media_url }: History, event: JobEvent): boolean => {
  if (event.about !== "transcription" || event.event === "retry_requested") return false
  const stored = events.findIndex((each) => each.event === "media_stored")
  return stored < 0 ? media_url !== undefined : events.indexOf(event) < stored
}

/** Shows the history. Recognised pieces share one line, with the timestamp of the last piece. */
export const HistoryList = ({ history }: { readonly history: History }) => {
  const pieces = history.events.filter(isPiece)
  const last = pieces.at(-1)
  const shown = history.events.filter((event) => event === last || !isPiece(event))
  const showLine = (event: JobEvent, index: number) => {
    const about = isFetch(history, event) ? "Fetching the recording" : toWords(event.about)
    const before = shown[index - 1]
    const at = new Date(event.at)
    const [first] = event === last ? pieces : []
    const details =
      first === undefined || first === event
        ? detailsOf(event)
        : `the first at ${formatWhen(new Date(first.at), at.getTime())}`
    // Each day is shown with its first event, and today only if the history began earlier.
    const isOther = !isSameDay(at, before === undefined ? new Date(now.value) : new Date(before.at))
    return (
      <li
        key={event === last ? "pieces" : `${event.revision} ${event.about} ${event.event}`}
        class={`job-history-line stack-3 ${troubles.has(event.event) ? "is-warn" : ""}`.trim()}
      >
        <Time class="job-history-time hint" at={event.at}>
          {isOther ? <span class="job-history-day">{formatDay(at, now.value)}</span> : null}
          {formatClock(at)}
        </Time>
        <span class="job-history-dot" aria-hidden="true" />
        <span>
          <span class="soft">{about}</span>{" "}
          <b>
            {first === undefined
              ? (phrases[event.event] ?? toWords(event.event).toLowerCase())
              : describePieces(pieces)}
          </b>
          {details === "" ? null : <span class="row-note hint is-wrapped">{details}</span>}
        </span>
        <span class="job-history-span hint">
          {before === undefined ? "" : `+${formatSpan(at.getTime() - Date.parse(before.at))}`}
        </span>
      </li>
    )
  }
  return <ol>{shown.map(showLine)}</ol>
}
