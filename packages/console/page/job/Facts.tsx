/** The facts about a job as pairs of name and value. */
import type { ComponentChildren } from "preact"
import type { JobDetails } from "../jobs/JobTraits.ts"
import { formatSpan } from "../ui/Clock.ts"
import { Copy } from "../ui/Copy.tsx"
import { Time } from "../ui/Time.tsx"

/** Shows a pair of name and value. */
export const Fact = (props: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="fact">
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
)

const millisPerSecond = 1_000
const secondsPerMinute = 60

/** Formats the measured length, which is charged exactly once. */
const charge = (seconds: number): string => `${(seconds / secondsPerMinute).toFixed(2)} min`

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" })

/** Returns the English name of a language; the code if it has none. */
export const languageName = (code: string): string => {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}

/** The facts whose values are statuses. */
const statusFacts = [
  ["Summary", "summary_status"],
  ["Webhook", "webhook_status"],
  ["Notice to the host", "notice_status"]
] as const

const Measured = ({ job }: { readonly job: JobDetails }) => {
  const seconds = Number(job.duration ?? Number.NaN)
  return Number.isNaN(seconds) ? null : (
    <>
      <Fact name="Length">{formatSpan(seconds * millisPerSecond)}</Fact>
      <Fact name="Charged">{charge(seconds)}</Fact>
    </>
  )
}

/** Shows the facts about a job. */
export const Facts = ({ job }: { readonly job: JobDetails }) => (
  <dl class="facts stack">
    <Fact name="Accepted">
      <Time at={job.created_at} isExact />
    </Fact>
    {job.filename === undefined ? null : (
      <Fact name="File">
        <bdi class="is-file">{job.filename}</bdi>
      </Fact>
    )}
    <Measured job={job} />
    {job.language === undefined ? null : <Fact name="Language">{languageName(job.language)}</Fact>}
    {job.speaker_count === undefined ? null : <Fact name="Speakers">{job.speaker_count}</Fact>}
    {job.engine === undefined ? null : <Fact name="Engine">{job.engine}</Fact>}
    {statusFacts.map(([name, field]) =>
      job[field] === undefined ? null : (
        <Fact name={name} key={field}>
          {job[field].toLowerCase()}
        </Fact>
      )
    )}
    {job.media_url === undefined ? null : (
      <Fact name="Recording URL">
        <bdi class="is-file">{job.media_url}</bdi>
      </Fact>
    )}
    {job.receiver === undefined ? null : (
      <Fact name="Receiver">
        <bdi class="is-file">{job.receiver}</bdi>
      </Fact>
    )}
    <Fact name="Id">
      <Copy text={job.id} />
    </Fact>
  </dl>
)
