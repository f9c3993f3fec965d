/** Searches the transcript and steps through the matches. */

import { useRef } from "preact/hooks"
import { can } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { hitMax } from "./Blocks.ts"
import { replaceEverywhere } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

/** The search field's id. */
export const searchId = "transcript-search"

/** The pause in typing after which a long transcript is searched. */
const restMillis = 150

/** Moves to the next match, or to the previous one. */
export const moveHit = ({ search: { hit, hits } }: Transcript, by: number): void => {
  const { length } = hits.value
  if (length > 0) hit.value = (hit.value + by + length) % length
}

const formatCount = (count: number): string => (count < hitMax ? `${count}` : `${count} or more`)

/** Replaces all matches, in one version that can be undone. */
const Replacement = ({ transcript }: { readonly transcript: Transcript }) => {
  const { wanted } = transcript.search
  const replace = (form: FormData): Promise<void> =>
    once(`replace in ${transcript.id}`, async () => {
      const by = String(form.get("by") ?? "")
      const refused = await replaceEverywhere(transcript, { wanted: wanted.value, by })
      if (refused !== undefined) notify(refused.sentence, { isFault: true })
    })
  return (
    <form
      class="transcript-replace bar"
      onSubmit={(event) => {
        event.preventDefault()
        void replace(new FormData(event.currentTarget))
      }}
    >
      <label>
        <span class="hidden">Replace matches with</span>
        <input class="input" name="by" autocomplete="off" placeholder="Replace with" />
      </label>
      <Button type="submit">Replace all</Button>
    </form>
  )
}

/** Shows the field. */
export const Search = ({ transcript }: { readonly transcript: Transcript }) => {
  const { hit, hits, wanted } = transcript.search
  const timer = useRef(0)
  const isLooking = wanted.value.trim() !== ""
  return (
    <search class="transcript-search bar">
      <label class="search-field">
        <span class="hidden">Search the transcript</span>
        <Icon name="search" />
        <input
          class="input"
          id={searchId}
          type="search"
          placeholder="Search the transcript"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            const { value } = event.currentTarget
            clearTimeout(timer.current)
            timer.current = window.setTimeout(() => {
              wanted.value = value
              hit.value = 0
            }, restMillis)
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            event.preventDefault()
            moveHit(transcript, event.shiftKey ? -1 : 1)
          }}
        />
      </label>
      <span class="search-count hint" role="status">
        {isLooking
          ? hits.value.length === 0
            ? "No matches"
            : `${hit.value + 1} of ${formatCount(hits.value.length)}`
          : ""}
      </span>
      {isLooking && hits.value.length > 0 ? (
        <>
          <IconButton icon="up" label="Previous match" onClick={() => moveHit(transcript, -1)} />
          <IconButton icon="down" label="Next match" onClick={() => moveHit(transcript, 1)} />
          {can("transcriptions:write") ? <Replacement transcript={transcript} /> : null}
        </>
      ) : null}
    </search>
  )
}
