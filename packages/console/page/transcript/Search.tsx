/** Searches the transcript and steps through the matches. */

import { useRef } from "preact/hooks"
import { IconButton } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { hitMax } from "./Blocks.ts"
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
        </>
      ) : null}
    </search>
  )
}
