/** What was said, in short, and every form of it to take along. */
import { Downloads } from "../jobs/Downloads.tsx"
import type { Job, JobDetails } from "../jobs/JobTraits.ts"
import { linkTo } from "../Router.ts"
import { Icon } from "../ui/Icon.tsx"

/** More is for the screen of the transcript. */
const segmentMax = 8

/** Shows the beginning of a transcript, the summary, and the forms. */
export const Result = ({ job }: { readonly job: Job | JobDetails }) => {
  const segments = job.output?.list ?? []
  return (
    <>
      {job.summary === undefined ? null : (
        <blockquote class="summary" dir="auto">
          {job.summary}
        </blockquote>
      )}
      {segments.length === 0 ? (
        <p class="hint">Nothing was said.</p>
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
            Read, hear and correct
          </a>
        </p>
      )}
      <Downloads id={job.id} />
    </>
  )
}
