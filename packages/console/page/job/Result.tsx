/** What was said, in short, and every form of it to take along. */
import { apiAddress } from "../Api.ts"
import type { Job, JobDetails } from "../jobs/JobTraits.ts"
import { linkTo } from "../Router.ts"
import { Icon } from "../ui/Icon.tsx"

/** As the API names them, and how files are called. */
const forms = [
  { modifier: "paragraph_text", word: "Text by speaker", extension: "txt" },
  { modifier: "plain_text", word: "Plain text", extension: "txt" },
  { modifier: "srt", word: "SubRip", extension: "srt" },
  { modifier: "vtt", word: "WebVTT", extension: "vtt" },
  { modifier: "paragraph_json", word: "Paragraphs as JSON", extension: "json" },
  { modifier: "word_json", word: "Words as JSON", extension: "json" }
] as const

/** More is for the screen of the transcript. */
const segmentMax = 8

/** Shows the beginning of a transcript, the summary, and the forms. */
export const Result = ({ job }: { readonly job: Job | JobDetails }) => {
  const segments = job.output?.list ?? []
  return (
    <>
      {job.summary === undefined ? null : <blockquote class="summary">{job.summary}</blockquote>}
      {segments.length === 0 ? (
        <p class="hint">Nothing was said.</p>
      ) : (
        <p class="excerpt">
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
      <ul class="chips" aria-label="Download">
        {forms.map(({ extension, modifier, word }) => (
          <li key={modifier}>
            <a
              class="chip"
              href={apiAddress(`/v1/status/${job.id}/${modifier}`)}
              download={`${job.id}.${extension}`}
            >
              <Icon name="download" />
              {word}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
