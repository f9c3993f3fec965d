/** Shows the beginning of a transcript, with its downloads. */
import { Downloads } from "../jobs/Downloads.tsx"
import type { Job, JobDetails } from "../jobs/JobTraits.ts"
import { linkTo } from "../Router.ts"
import { Icon } from "../ui/Icon.tsx"

/** Number of segments shown on the job screen. The transcript screen shows the rest. */
const segmentMax = 8

/** Shows the summary, the beginning of the transcript, and the downloads. */
export const Result = ({ job }: { readonly job: Job | JobDetails }) => {
  const segments = job.output?.list ?? []
  return (
    <>
      {job.summary === undefined ? null : (
        <blockquote class="tip" dir="auto">
          {job.summary}
        </blockquote>
      )}
      {segments.length === 0 ? (
        <p class="hint">No speech was recognised.</p>
      ) : (
        <p class="excerpt" dir="auto">
          {segments
            .slice(0, segmentMax)
            .map(({ text }) => text.trim())
            .join(" ")}
          {segments.length > segmentMax ? " …" : ""}
        </p>
      )}
      {segments.length === 0 ? null : (
        <p>
          <a class="button" href={linkTo(`/jobs/${job.id}/transcript`)}>
            <Icon name="wave" />
            Open transcript
          </a>
        </p>
      )}
      <Downloads job={job} />
    </>
  )
}
