/** Lists the speakers with their shares of speaking time and samples of their voices. */
import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { can } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { textIn, useSubmission } from "../ui/Forms.tsx"
import { focusSoon } from "../ui/Theme.ts"
import { voiceSample } from "./Blocks.ts"
import { nameSpeaker, notifyRefused, recognisedIds, unnamed } from "./Corrections.ts"
import type { Transcript } from "./Model.ts"

const quicker = "Someone else corrected this transcript in the meantime. Name the speaker again."

type Props = Readonly<{ transcript: Transcript; name: string }>
type NameProps = Props & { readonly onClose: (shown: string) => void }
const NameField = ({ name, onClose, transcript }: NameProps) => {
  const field = useRef<HTMLInputElement>(null)
  // A layout effect sets the focus before painting, so that no input is missed.
  useLayoutEffect(() => field.current?.focus(), [])
  const save = async (form: HTMLFormElement): Promise<void> => {
    const to = textIn(new FormData(form), "name")
    const isNamed = !unnamed.test(name) && recognisedIds(transcript, name).length > 0
    if (to === name || (to === "" && !isNamed)) return onClose(name)
    await nameSpeaker(transcript, { from: name, to })
    onClose(to)
  }
  const { isBusy, submit } = useSubmission(save, (cause) => notifyRefused(cause, quicker))
  return (
    <form class="grow bar" onSubmit={submit}>
      <input
        class="input"
        dir="auto"
        aria-label={`Name of ${name}`}
        placeholder={name}
        maxLength={80}
        readOnly={isBusy.value}
        ref={field}
        name="name"
        defaultValue={unnamed.test(name) ? "" : name}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.stopPropagation()
          onClose(name)
        }}
      />
      <Button class="is-small" type="submit" word="Save" />
    </form>
  )
}

const SampleButton = ({ name, transcript: { player, segments } }: Props) => {
  if (player.sound.value !== "there") return null
  const sample = voiceSample(segments.value, name)
  const isHeard = player.isPlaying.value && player.stopAt.value === sample.end
  return (
    <IconButton
      icon={isHeard ? "pause" : "play"}
      label={`${isHeard ? "Stop the" : "Play a"} sample of ${name}`}
      onClick={() => player.playSample(sample)}
    />
  )
}

export const Speakers = ({ transcript }: { readonly transcript: Transcript }) => {
  const edited = useSignal<string | undefined>(undefined)
  const sumSpoken = (name?: string): number =>
    transcript.blocks.value.reduce(
      (sum, { speaker, spoken }) => sum + (speaker === (name ?? speaker) ? spoken : 0),
      0
    )
  const all = Math.max(sumSpoken(), 0.001)
  return (
    <ul class="lines">
      {transcript.speakers.value.map((name) => (
        <li class={`speaker line cluster is-shade-${transcript.shadeOf(name)}`} key={name}>
          {edited.value === name ? (
            <NameField
              transcript={transcript}
              name={name}
              onClose={(shown) => {
                edited.value = undefined
                focusSoon(`[data-renames="${CSS.escape(shown)}"]`)
              }}
            />
          ) : (
            <>
              <span class="grow breaks" dir="auto">
                {name}
              </span>
              <span class="hint">{Math.round((100 * sumSpoken(name)) / all)} %</span>
              <SampleButton transcript={transcript} name={name} />
              {can("transcriptions:write") ? (
                <IconButton
                  icon="pen"
                  label={`Rename ${name}`}
                  data-renames={name}
                  onClick={() => {
                    edited.value = name
                  }}
                />
              ) : null}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
