/** What is known of a job, in pairs of a name and a value. */
import type { ComponentChildren } from "preact"
import { acceptedAt, type Job } from "../jobs/JobTraits.ts"
import { writeSpan } from "../ui/Clock.ts"
import { Copy } from "../ui/Copy.tsx"
import { Time } from "../ui/Time.tsx"
import type { History } from "./Machines.ts"

/** A pair. */
export const Fact = (given: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="fact">
    <dt>{given.name}</dt>
    <dd>{given.children}</dd>
  </div>
)

const millisPerSecond = 1_000
const secondsPerMinute = 60

/** What was measured is what is charged, once. */
const charge = (seconds: number): string => `${(seconds / secondsPerMinute).toFixed(2)} min`

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" })

const languageOf = (code: string): string => {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}

/** Shows them. */
export const Facts = ({ history, job }: { readonly job: Job; readonly history: History }) => {
  const produced = history.events.findLast(({ event }) => event === "transcript_produced")
  const seconds = Number(produced?.duration ?? job.output?.duration ?? Number.NaN)
  return (
    <dl class="facts">
      <Fact name="Accepted">
        <Time at={acceptedAt(job)} isExact />
      </Fact>
      {Number.isNaN(seconds) ? null : (
        <>
          <Fact name="Recording">{writeSpan(seconds * millisPerSecond)}</Fact>
          <Fact name="Charged">{charge(seconds)}</Fact>
        </>
      )}
      {produced?.language === undefined ? null : (
        <Fact name="Language">{languageOf(produced.language)}</Fact>
      )}
      {produced?.engine === undefined ? null : <Fact name="Engine">{produced.engine}</Fact>}
      {job.summary_status === undefined ? null : (
        <Fact name="Summary">{job.summary_status.toLowerCase()}</Fact>
      )}
      {job.webhook_status === undefined ? null : (
        <Fact name="Webhook">{job.webhook_status.toLowerCase()}</Fact>
      )}
      <Fact name="Left in the workspace">{job.balance_minutes} min</Fact>
      <Fact name="Id">
        <Copy text={job.id} />
      </Fact>
    </dl>
  )
}
