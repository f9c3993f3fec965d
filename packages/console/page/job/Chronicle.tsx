/** What happened to a job, oldest first, with the time between one thing and the next. */
import {
  isSameDay,
  now,
  writeClock,
  writeDay,
  writeExact,
  writeSpan,
  writeWhen
} from "../ui/Clock.ts"
import { toWords } from "../ui/Words.ts"
import type { Happening, History } from "./Standing.ts"

/** How people say it; what has no words of its own has those of the domain. */
const phrases: Readonly<Record<string, string>> = {
  accepted: "accepted",
  attempt_started: "begun",
  attempt_released: "given back, uncounted",
  attempt_postponed: "postponed, uncounted",
  attempt_lost: "its worker was lost",
  retry_scheduled: "to be tried again",
  given_up: "given up",
  media_stored: "recording stored",
  transcript_produced: "transcript made",
  summary_produced: "made",
  summary_skipped: "skipped",
  receiver_accepted: "accepted by the receiver",
  retry_requested: "asked to run again",
  redelivery_requested: "asked to be delivered again"
}

const titles: Readonly<Record<Happening["about"], string>> = {
  job: "Job",
  transcription: "Transcription",
  summary: "Summary",
  webhook: "Webhook",
  notice: "Notice"
}

/** Those that are not as they should be. */
const troubles = new Set([
  "given_up",
  "attempt_lost",
  "attempt_postponed",
  "retry_scheduled",
  "summary_skipped"
])

const detailsOf = (event: Happening): string =>
  [
    event.error,
    event.cause,
    event.reason,
    event.status_code === undefined ? undefined : `answered ${event.status_code}`,
    event.engine,
    event.language,
    event.duration === undefined ? undefined : `${event.duration} s of audio`,
    event.due_at === undefined
      ? undefined
      : `next at ${writeWhen(new Date(event.due_at), Date.parse(event.at))}`
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ")

const Line = ({ before, event }: { readonly event: Happening; readonly before?: Happening }) => {
  const at = new Date(event.at)
  const details = detailsOf(event)
  // A day is named where it begins, and at the beginning where it is not today.
  const isOther = !isSameDay(at, before === undefined ? new Date(now.value) : new Date(before.at))
  return (
    <li
      class={
        troubles.has(event.event) ? "chronicle-line stack-3 is-trouble" : "chronicle-line stack-3"
      }
    >
      <time
        class="chronicle-time hint"
        dateTime={event.at}
        title={`${writeExact(at)} (${event.at})`}
      >
        {isOther ? <span class="chronicle-day">{writeDay(at, now.value)}</span> : null}
        {writeClock(at)}
      </time>
      <span class="chronicle-dot" aria-hidden="true" />
      <span class="chronicle-what">
        <span class="chronicle-about">{titles[event.about]}</span>{" "}
        <b>{phrases[event.event] ?? toWords(event.event).toLowerCase()}</b>
        {details === "" ? null : <span class="row-note hint is-wrapped">{details}</span>}
      </span>
      <span class="chronicle-span hint">
        {before === undefined ? "" : `+${writeSpan(at.getTime() - Date.parse(before.at))}`}
      </span>
    </li>
  )
}

/** Shows it. */
export const Chronicle = ({ history }: { readonly history: History }) => (
  <ol class="chronicle">
    {history.events.map((event, index) => {
      const before = history.events[index - 1]
      return (
        <Line
          key={`${event.revision} ${event.about} ${event.event}`}
          event={event}
          {...(before === undefined ? {} : { before })}
        />
      )
    })}
  </ol>
)
