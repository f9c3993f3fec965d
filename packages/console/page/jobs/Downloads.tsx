/** Links for downloading a transcript in each format. */
import { apiAddress } from "../Api.ts"
import { ButtonLink } from "../ui/Card.tsx"
import { type ListedJob, nameOf } from "./JobTraits.ts"

const forms = [
  { modifier: "paragraph_text", word: "Text by speaker", ending: "speakers.txt" },
  { modifier: "plain_text", word: "Plain text", ending: "txt" },
  { modifier: "srt", word: "Subtitles, SRT", ending: "srt" },
  { modifier: "vtt", word: "Subtitles, VTT", ending: "vtt" },
  { modifier: "paragraph_json", word: "Paragraphs, JSON", ending: "paragraphs.json" },
  { modifier: "word_json", word: "Words, JSON", ending: "words.json" },
  { modifier: "plain_json", word: "Plain, JSON", ending: "json" }
] as const

const stemOf = (job: ListedJob): string =>
  nameOf(job)
    .replace(/\.[a-z0-9]{2,4}$/iu, "")
    .replace(/[\s\p{Cc}/\\:*?"<>|]+/gu, " ")
    .trim()

export const Downloads = ({ job }: { readonly job: ListedJob }) => (
  <ul class="chips cluster" aria-label="Download">
    {forms.map(({ ending, modifier, word }) => (
      <li key={modifier}>
        <ButtonLink
          class="is-small"
          icon="download"
          to={apiAddress(`/v1/status/${job.id}/${modifier}`)}
          download={`${stemOf(job)}.${ending}`}
          word={word}
        />
      </li>
    ))}
  </ul>
)
