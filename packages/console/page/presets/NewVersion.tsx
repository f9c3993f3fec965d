/** Makes the next version of a preset: stored beside the designated one, or in its place. */
import { useSignal } from "@preact/signals"
import type { MadePreset } from "@verbatim/client"
import { useRef } from "preact/hooks"
import { sentenceOf } from "../Api.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { useRepeatKey } from "../ui/SteadyHand.ts"
import { usePresence } from "../ui/Theme.ts"
import { notify } from "../ui/Toasts.tsx"
import { FoundNote, useKeptDraft } from "./KeptDraft.tsx"
import { designate, isConflict } from "./PresetActions.ts"
import type { OfPreset } from "./PresetModel.ts"
import { type Version, versionName } from "./PresetTraits.ts"
import { draftOf, makeVersion, VersionForm } from "./VersionForm.tsx"

/** Shows the form for as long as it is there. It begins as `from` is. */
export const NewVersion = (
  given: OfPreset & {
    readonly from: Version
    readonly onClose: () => void
    readonly onMade: (version: number) => void
  }
) => {
  const { from, model } = given
  // As it stood when somebody began to write, and again as it stands after a conflict.
  const seen = useRef(given.standing)
  const standing = seen.current
  const { beginAnew, draft, drop, isFound } = useKeptDraft(
    `version of ${model.slug}`,
    draftOf(from)
  )
  const isStaged = useSignal(true)
  const isThere = usePresence()
  const keyFor = useRepeatKey()
  const isBusy = useSignal(false)
  const fault = useSignal("")
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    const sent = draft.value
    try {
      const made = await makeVersion(model.slug, sent, {
        idempotencyKey: keyFor([sent, isStaged.value]),
        ifMatch: standing.preset.designated_version_id,
        ...(isStaged.value ? { headers: { prefer: "handling=stage" } } : {})
      })
      drop(sent)
      await model.reload()
      tell(made)
    } catch (cause) {
      await model.reload()
      fault.value = isConflict(cause) ? explainConflict() : sentenceOf(cause)
      if (!isThere()) notify(fault.value, { isFault: true })
    }
    isBusy.value = false
  }
  const explainConflict = (): string => {
    seen.current = model.state.value.value ?? standing
    const { designated_version } = seen.current.preset
    const name = versionName(designated_version?.version ?? 1)
    return `Somebody was quicker: ${name} is designated now. Send it again to make yours after it.`
  }
  const show = (version: number): void => {
    if (isThere()) given.onMade(version)
  }
  const tell = ({ staged_version, ...preset }: MadePreset): void => {
    const before = standing.preset.designated_version?.version
    const designated = preset.designated_version?.version
    if (staged_version !== undefined) {
      notify(`${versionName(staged_version.version)} is staged: nobody gets it yet.`)
      show(staged_version.version)
      return
    }
    if (designated === undefined) return
    // Over the one that was made: another one may be designated since.
    const undo = (to: number) => () => void designate(model, { ...standing, preset }, to)
    notify(
      `${versionName(designated)} is made and designated.`,
      before === undefined ? {} : { undo: undo(before) }
    )
    show(designated)
  }
  return (
    <Dialog title={`New version, from ${versionName(from.version)}`} onClose={given.onClose} isWide>
      <form class="version-form" onSubmit={(event) => void submit(event)}>
        <FoundNote isFound={isFound} beginAnew={beginAnew} />
        <label class="switch">
          <input
            type="checkbox"
            checked={isStaged.value}
            onChange={(event) => {
              isStaged.value = event.currentTarget.checked
            }}
          />
          Stage it: keep {versionName(standing.preset.designated_version?.version ?? 1)} designated
        </label>
        <VersionForm
          draft={draft}
          fault={fault}
          isBusy={isBusy.value}
          slug={model.slug}
          submitWord={isStaged.value ? "Stage the version" : "Make and designate it"}
        />
      </form>
    </Dialog>
  )
}
