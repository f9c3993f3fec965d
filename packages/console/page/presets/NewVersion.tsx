/** The form for a new version, which can be staged or made live. */
import { useSignal } from "@preact/signals"
import type { CreatedPreset } from "@verbatim/client"
import { useId, useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { isConflict } from "../Api.ts"
import { openDraft } from "../session/Drafts.ts"
import { Button } from "../ui/Button.tsx"
import { useSubmission } from "../ui/Forms.tsx"
import { makeIdempotencyKeys } from "../ui/RepeatGuard.ts"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { notify } from "../ui/Toasts.tsx"
import { designate } from "./PresetActions.ts"
import { designatedOf, labelsOf, type PresetProps } from "./PresetModel.ts"
import { type Version, versionName } from "./PresetTraits.ts"
import { RestoredNote, useSavedDraft } from "./SavedDraft.tsx"
import { type Draft, draftOf, makeVersion, VersionForm } from "./VersionForm.tsx"

interface Props extends PresetProps {
  readonly from: Version
  readonly onClose: () => void
  readonly onMade: (version: number) => void
}

/** The draft of a new version, with the number of the version that it began with. */
interface VersionDraft extends Draft {
  readonly from: number
}

const draftName = (slug: string): string => `version of ${slug}`

/** Returns the unsaved draft of a preset's next version. */
export const waitingDraft = (slug: string): VersionDraft | undefined =>
  openDraft<VersionDraft>(draftName(slug)).read()

/** Reports the created version, offers an undo, and returns the version's number. */
const notifyCreated = (
  { model, state }: PresetProps,
  { staged_version, ...preset }: CreatedPreset
): number | undefined => {
  if (staged_version !== undefined) {
    const name = versionName(staged_version.version)
    const { version } = staged_version
    const isUsed = (): boolean => {
      const now = model.state.value.value ?? state
      return designatedOf(now) === version || labelsOf(now, version).length > 0
    }
    notify(`${model.slug}: ${name} is staged: no request uses it yet.`, { isOver: isUsed })
    return version
  }
  const before = state.preset.designated_version?.version
  const designated = preset.designated_version?.version
  if (designated === undefined) return undefined
  // The change is based on the version just created, because a different version may be live now.
  const undo = (to: number) => () => void designate(model, { ...state, preset }, to)
  notify(
    `${model.slug}: ${versionName(designated)} is created and live.`,
    before === undefined ? {} : { undo: undo(before) }
  )
  return designated
}

/** Returns the draft with the function that submits it. */
const useVersion = ({ from, model, onMade, state }: Props) => {
  // The preset's state when the user started writing, or at the last conflict.
  const seen = useRef(state)
  const kept = useSavedDraft<VersionDraft>(draftName(model.slug), {
    ...draftOf(from),
    from: from.version
  })
  const isStaged = useSignal(true)
  const keyFor = useMemo(makeIdempotencyKeys, [])
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
      `Someone else changed this preset first: ${name} is live now. ` +
        "Compare your draft with it, and submit again to add yours."
    )
  }
  const submission = useSubmission(async () => {
    const sent = kept.draft.value
    const over = seen.current
    const made = await make(sent).catch(toFault)
    kept.drop(sent)
    await model.reload()
    const version = notifyCreated({ model, state: over }, made)
    if (version !== undefined && submission.isMounted()) onMade(version)
  })
  return { ...kept, ...submission, isStaged, state: seen.current }
}

/** Shows the form, filled with the content of the version `from`. */
export const NewVersion = (props: Props) => {
  const { from, model, onClose } = props
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const submitForm = (): void => form.current?.requestSubmit()
  useShortcuts([
    { keys: "Ctrl+Enter", does: "Save the version", run: submitForm },
    { keys: "Escape", does: "Close the form and keep the draft", run: onClose }
  ])
  // A layout effect sets the focus before painting, and so never takes it from a user who continues
  // immediately.
  useLayoutEffect(() => form.current?.querySelector("textarea")?.focus(), [])
  const { discard, draft, fault, isBusy, isRestored, isStaged, state, submit } = useVersion(props)
  const designated = designatedOf(state)
  const live = state.versions.find(({ version }) => version === designated)
  const begun = versionName(draft.value.from)
  return (
    <form ref={form} class="version-form is-screen stack" aria-labelledby={id} onSubmit={submit}>
      <div class="apart">
        <h2 id={id}>New version from {begun}</h2>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      <RestoredNote
        isRestored={isRestored}
        discard={discard}
        from={begun}
        discardWord={`Start over from ${versionName(from.version)}`}
      />
      <VersionForm
        draft={draft}
        fault={fault}
        isBusy={isBusy.value}
        slug={model.slug}
        submitWord={isStaged.value ? "Stage version" : "Create and make live"}
        live={live ?? state.preset.designated_version ?? from}
      >
        <label class="switch bar">
          <input
            type="checkbox"
            checked={isStaged.value}
            onChange={(event) => {
              isStaged.value = event.currentTarget.checked
            }}
          />
          Stage it: keep {versionName(designated ?? 1)} live
        </label>
      </VersionForm>
    </form>
  )
}
