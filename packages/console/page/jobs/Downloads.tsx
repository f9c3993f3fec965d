/** Downloads for a transcript, in all formats. */
import { apiAddress } from "../Api.ts"
import { Icon } from "../ui/Icon.tsx"

/** The API's modifiers, with labels and file extensions. */
const forms = [
  { modifier: "paragraph_text", word: "Text by speaker", extension: "txt" },
  { modifier: "plain_text", word: "Plain text", extension: "txt" },
  { modifier: "srt", word: "SubRip", extension: "srt" },
  { modifier: "vtt", word: "WebVTT", extension: "vtt" },
  { modifier: "paragraph_json", word: "Paragraphs, JSON", extension: "json" },
  { modifier: "word_json", word: "Words, JSON", extension: "json" },
  { modifier: "plain_json", word: "Plain, JSON", extension: "json" }
] as const

/** Shows the downloads. */
export const Downloads = ({ id }: { readonly id: string }) => (
  <ul class="chips" aria-label="Download">
    {forms.map(({ extension, modifier, word }) => (
      <li key={modifier}>
        <a
          class="chip"
          href={apiAddress(`/v1/status/${id}/${modifier}`)}
          download={`${id}.${extension}`}
        >
          <Icon name="download" />
          {word}
        </a>
      </li>
    ))}
  </ul>
)
