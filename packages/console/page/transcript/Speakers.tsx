/** Who speaks, and what they are called. */

import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { may } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { notify } from "../ui/Toasts.tsx"
import { nameSpeaker, recognisedAs, unnamed } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

const NameField = (given: {
  readonly transcript: Transcript
  readonly name: string
  /** Under which name the speaker is shown now. */
  readonly onClose: (shown: string) => void
}) => {
  const { name, onClose, transcript } = given
  const field = useRef<HTMLInputElement>(null)
  // Before it is seen: nobody writes sooner.
  useLayoutEffect(() => field.current?.focus(), [])
  const text = useSignal(unnamed.test(name) ? "" : name)
  const isBusy = useSignal(false)
  const save = async (): Promise<void> => {
    if (isBusy.value) return
    const to = text.value.trim()
    const isNamed = !unnamed.test(name) && recognisedAs(transcript, name).length > 0
    if (to === name || (to === "" && !isNamed)) return onClose(name)
    isBusy.value = true
    const refused = await nameSpeaker(transcript, { from: name, to })
    isBusy.value = false
    if (refused === undefined) return onClose(to)
    notify(
      refused.isConflict
        ? "Somebody corrected it meanwhile: it is read again. Name the speaker once more."
        : refused.sentence,
      { isFault: true }
    )
  }
  return (
    <form
      class="speaker-form bar"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input
        class="input"
        dir="auto"
        aria-label={`Name of ${name}`}
        placeholder={name}
        maxLength={80}
        readOnly={isBusy.value}
        ref={field}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose(name)
        }}
      />
      <Button class="is-small" type="submit">
        Save
      </Button>
    </form>
  )
}

/** Whoever closed the field by keys goes on from the button of that speaker. */
const focusButton = (name: string): void => {
  setTimeout(() => {
    document.querySelector<HTMLElement>(`[data-renames="${CSS.escape(name)}"]`)?.focus()
  })
}

/** Shows the speakers. */
export const Speakers = ({ transcript }: { readonly transcript: Transcript }) => {
  const edited = useSignal<string | undefined>(undefined)
  const blocks = transcript.blocks.value
  const shares = useMemo(() => {
    const seconds = new Map<string, number>()
    let all = 0
    for (const { speaker, spoken } of blocks) {
      seconds.set(speaker, (seconds.get(speaker) ?? 0) + spoken)
      all += spoken
    }
    return (name: string) => Math.round((100 * (seconds.get(name) ?? 0)) / Math.max(all, 0.001))
  }, [blocks])
  return (
    <ul class="speakers">
      {transcript.speakers.value.map((name) => (
        <li class={`speaker cluster is-shade-${transcript.shadeOf(name)}`} key={name}>
          {edited.value === name ? (
            <NameField
              transcript={transcript}
              name={name}
              onClose={(shown) => {
                edited.value = undefined
                focusButton(shown)
              }}
            />
          ) : (
            <>
              <span class="speaker-name grow" dir="auto">
                {name}
              </span>
              <span class="hint">{shares(name)} %</span>
              {may("transcriptions:write") ? (
                <Button
                  class="is-small"
                  aria-label={`Rename ${name}`}
                  data-renames={name}
                  onClick={() => {
                    edited.value = name
                  }}
                >
                  Rename
                </Button>
              ) : null}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
