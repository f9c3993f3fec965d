/** Makes the next version of a preset: stored beside the designated one, or in its place. */
import { useSignal } from "@preact/signals"
import type { CreatedPreset } from "@verbatim/client"
import { useMemo, useRef } from "preact/hooks"
import { Dialog } from "../ui/Dialog.tsx"
import { useSubmission } from "../ui/Forms.tsx"
import { makeRepeatKeys } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import { FoundNote, useKeptDraft } from "./KeptDraft.tsx"
import { designate, isConflict } from "./PresetActions.ts"
import { designatedOf, type PresetModel, type Shown, type Standing } from "./PresetModel.ts"
import { type Version, versionName } from "./PresetTraits.ts"
import { type Draft, draftOf, makeVersion, VersionForm } from "./VersionForm.tsx"

interface Given extends Shown {
  readonly from: Version
  readonly onClose: () => void
  readonly onMade: (version: number) => void
}

/** Says what came of a version, with the way back; gives its number. */
const tell = (
  { model, standing }: { readonly model: PresetModel; readonly standing: Standing },
  { staged_version, ...preset }: CreatedPreset
): number | undefined => {
  if (staged_version !== undefined) {
    notify(`${versionName(staged_version.version)} is staged: nobody gets it yet.`)
    return staged_version.version
  }
  const before = standing.preset.designated_version?.version
  const designated = preset.designated_version?.version
  if (designated === undefined) return undefined
  // Over the one that was made: another one may be designated since.
  const undo = (to: number) => () => void designate(model, { ...standing, preset }, to)
  notify(
    `${versionName(designated)} is made and designated.`,
    before === undefined ? {} : { undo: undo(before) }
  )
  return designated
}

/** The draft, and what sends it. */
const useVersion = ({ from, model, onMade, standing }: Given) => {
  // As it stood when somebody began to write, and again as it stands after a conflict.
  const seen = useRef(standing)
  const kept = useKeptDraft(`version of ${model.slug}`, draftOf(from))
  const isStaged = useSignal(true)
  const keyFor = useMemo(makeRepeatKeys, [])
  const make = (sent: Draft): Promise<CreatedPreset> =>
    makeVersion(model.slug, sent, {
      idempotencyKey: keyFor([sent, isStaged.value]),
      ifMatch: seen.current.preset.designated_version_id,
      ...(isStaged.value ? { headers: { prefer: "handling=stage" } } : {})
    })
  const toFault = async (cause: unknown): Promise<never> => {
    await model.reload()
    if (!isConflict(cause)) throw cause
    seen.current = model.state.value.value ?? seen.current
    const name = versionName(designatedOf(seen.current) ?? 1)
    throw new Error(
      `Somebody was quicker: ${name} is designated now. Send it again to make yours after it.`
    )
  }
  const submission = useSubmission(async () => {
    const sent = kept.draft.value
    const over = seen.current
    const made = await make(sent).catch(toFault)
    kept.drop(sent)
    await model.reload()
    const version = tell({ model, standing: over }, made)
    if (version !== undefined && submission.isThere()) onMade(version)
  })
  return { ...kept, ...submission, isStaged, standing: seen.current }
}

/** Shows the form for as long as it is there. It begins as `from` is. */
export const NewVersion = (given: Given) => {
  const { from, model } = given
  const { beginAnew, draft, fault, isBusy, isFound, isStaged, standing, submit } = useVersion(given)
  return (
    <Dialog title={`New version, from ${versionName(from.version)}`} onClose={given.onClose} isWide>
      <form class="version-form stack" onSubmit={submit}>
        <FoundNote isFound={isFound} beginAnew={beginAnew} />
        <label class="switch bar">
          <input
            type="checkbox"
            checked={isStaged.value}
            onChange={(event) => {
              isStaged.value = event.currentTarget.checked
            }}
          />
          Stage it: keep {versionName(designatedOf(standing) ?? 1)} designated
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
