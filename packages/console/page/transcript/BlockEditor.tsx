/** Corrects a block where it stands: the text of each segment, and who speaks. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../ui/Icon.tsx"
import { type Block, writeMoment } from "./Blocks.ts"
import { type Change, correctSegments } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"
import { speakersOf } from "./Shades.ts"

/** What is written of a segment. */
interface Written {
  readonly index: number
  readonly before: string
  readonly text: string
}

const changesOf = (
  written: ReadonlyArray<Written>,
  speaker: { readonly before: string; readonly now: string }
): ReadonlyArray<Change> => {
  const isOther = speaker.now !== "" && speaker.now !== speaker.before
  return written.flatMap(({ before, index, text }) =>
    text === before && !isOther
      ? []
      : [
          {
            index,
            ...(text === before ? {} : { text }),
            ...(isOther ? { speaker: speaker.now } : {})
          }
        ]
  )
}

const SpeakerField = (given: {
  readonly transcript: Transcript
  readonly value: string
  readonly onInput: (value: string) => void
}) => (
  <label class="editor-speaker">
    <span class="hidden">Speaker</span>
    <input
      class="input"
      list="transcript-speakers"
      maxLength={80}
      value={given.value}
      onInput={(event) => given.onInput(event.currentTarget.value)}
    />
    <datalist id="transcript-speakers">
      {speakersOf(given.transcript).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  </label>
)

/** Shows the fields. */
export const BlockEditor = ({
  block,
  transcript
}: {
  readonly transcript: Transcript
  readonly block: Block
}) => {
  const form = useRef<HTMLFormElement>(null)
  const segments = transcript.segments.value
  const speaker = useSignal(block.speaker)
  const refusal = useSignal("")
  const isBusy = useSignal(false)
  const written = useSignal<ReadonlyArray<Written>>(
    segments.slice(block.first, block.end).map(({ text }, place) => ({
      index: block.first + place,
      before: text,
      text: text.trim()
    }))
  )
  useEffect(() => form.current?.querySelector("textarea")?.focus(), [])
  const close = (): void => {
    transcript.editing.value = undefined
  }
  const save = async (): Promise<void> => {
    const all = written.value.map((each) => ({
      ...each,
      before: (segments[each.index]?.text ?? "").trim()
    }))
    const changes = changesOf(all, { before: block.speaker, now: speaker.value.trim() })
    if (changes.length === 0) return close()
    isBusy.value = true
    const refused = await correctSegments(transcript, changes)
    isBusy.value = false
    if (refused === undefined) close()
    else refusal.value = refused.sentence
  }
  return (
    <form
      ref={form}
      class="block-editor"
      aria-label={`Correct ${writeMoment(block.start)}`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save()
      }}
    >
      <SpeakerField
        transcript={transcript}
        value={speaker.value}
        onInput={(value) => {
          speaker.value = value
        }}
      />
      {written.value.map(({ before, index, text }) => {
        const now = (segments[index]?.text ?? "").trim()
        return (
          <label class="editor-line" key={index}>
            <span class="block-time">{writeMoment(segments[index]?.start ?? 0)}</span>
            <span class="editor-field">
              {now === before.trim() ? null : <span class="hint">Now: {now}</span>}
              <textarea
                class="input"
                rows={Math.max(1, Math.ceil(text.length / 70))}
                maxLength={5_000}
                aria-label={`Text at ${writeMoment(segments[index]?.start ?? 0)}`}
                value={text}
                onInput={(event) => {
                  const { value } = event.currentTarget
                  written.value = written.value.map((each) =>
                    each.index === index ? { ...each, text: value } : each
                  )
                }}
              />
            </span>
          </label>
        )
      })}
      {refusal.value === "" ? null : (
        <p class="field-fault" role="alert">
          <Icon name="alert" />
          {refusal.value}
        </p>
      )}
      <div class="editor-end">
        <span class="hint">Ctrl Enter saves, Esc leaves it as it is.</span>
        <button type="button" class="button is-small" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button is-small is-primary" disabled={isBusy.value}>
          Save
        </button>
      </div>
    </form>
  )
}
