/** Lists of facts, and the facts about a job. */
import type { ComponentChildren } from "preact"
import type { JobDetails } from "../jobs/JobTraits.ts"
import { Copy, Time } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"

type Facts = Readonly<Record<string, ComponentChildren>>

export const FactList = ({ facts }: { readonly facts: Facts }) => (
  <dl class="facts stack">
    {Object.entries(facts).map(([name, value]) =>
      value === undefined ? null : (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )
    )}
  </dl>
)

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" })
export const languageName = (code: string): string => {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}

const toFile = (name: string | undefined) => name && <bdi class="is-file">{name}</bdi>

export const factsOf = (job: JobDetails): Facts => {
  const seconds = Number(job.duration)
  return {
    Accepted: <Time at={job.created_at} isExact />,
    File: toFile(job.filename),
    Length: job.duration && formatSpan(seconds * 1_000),
    // The charge is for the measured length of the recording.
    Charged: job.duration && `${(seconds / 60).toFixed(2)} min`,
    Language: job.language && languageName(job.language),
    Speakers: job.speaker_count,
    Engine: job.engine,
    Summary: job.summary_status?.toLowerCase(),
    Webhook: job.webhook_status?.toLowerCase(),
    "Notice to the host": job.notice_status?.toLowerCase(),
    "Recording URL": toFile(job.media_url),
    Receiver: toFile(job.receiver),
    Id: <Copy text={job.id} />
  }
}
