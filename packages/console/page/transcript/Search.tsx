/** Searches the transcript and steps through the matches. */
import { useSignal } from "@preact/signals"
import { can } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { SearchField, Switch, useSubmission } from "../ui/Forms.tsx"
import { notifyFault } from "../ui/Toasts.tsx"
import { hitMax } from "./Blocks.ts"
import { replaceEverywhere } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

export const moveHit = ({ search: { choose, hit, hits } }: Transcript, by: number): void => {
  const { length } = hits.value
  if (length > 0) choose((hit.value + by + length) % length)
}

const formatCount = (count: number): string => (count < hitMax ? `${count}` : `${count} or more`)

type Props = Readonly<{ transcript: Transcript }>

const moveByEnter = (transcript: Transcript) => (event: KeyboardEvent) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  moveHit(transcript, event.shiftKey ? -1 : 1)
}

const Replacement = ({ transcript }: Props) => {
  const { hits, text } = transcript.search
  const by = useSignal("")
  const { submit } = useSubmission(
    () => replaceEverywhere(transcript, { ...text.value, by: by.value }),
    notifyFault
  )
  const does = by.value === "" ? "Delete all" : "Replace all"
  return (
    <details>
      <summary class="button">Replace</summary>
      <form class="bar" onSubmit={submit}>
        <input
          class="input"
          autocomplete="off"
          aria-label="Replace matches with"
          placeholder="Replace with"
          value={by.value}
          onInput={(event) => {
            by.value = event.currentTarget.value
          }}
          onKeyDown={moveByEnter(transcript)}
        />
        <Button type="submit">{`${does} ${formatCount(hits.value.length)}`}</Button>
      </form>
    </details>
  )
}

export const Search = ({ transcript }: Props) => {
  const { choose, hit, hits, isWhole, wanted } = transcript.search
  const count = hits.value.length
  const said = count === 0 ? "No matches" : `${hit.value + 1} of ${formatCount(count)}`
  return (
    <search class="cluster">
      <SearchField
        label="Search the transcript"
        shortcut="Search the transcript"
        text={wanted.value}
        onText={(text) => {
          wanted.value = text
          choose(0)
        }}
        onKeyDown={moveByEnter(transcript)}
      />
      <span class="hint" role="status">
        {wanted.value === "" ? "" : said}
      </span>
      {wanted.value === "" ? null : <Switch isOn={isWhole}>Whole words</Switch>}
      {count > 0 ? (
        <>
          <IconButton icon="up" label="Previous match" onClick={() => moveHit(transcript, -1)} />
          <IconButton icon="down" label="Next match" onClick={() => moveHit(transcript, 1)} />
          {can("transcriptions:write") ? <Replacement transcript={transcript} /> : null}
        </>
      ) : null}
    </search>
  )
}
