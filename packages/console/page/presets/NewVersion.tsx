/** The forms for a new version, which can be staged or made live, and for a new preset. */
import { useSignal } from "@preact/signals"
import type { CreatedPreset } from "@verbatim/client"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { isConflict } from "../Api.ts"
import { openDraft } from "../session/Drafts.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog, Switch, TextField } from "../ui/Forms.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { notify } from "../ui/Toasts.tsx"
import { designate, seriesOf } from "./PresetActions.ts"
import { designatedOf, labelsOf, type PresetProps } from "./PresetModel.ts"
import { slugPattern, type Version, versionName } from "./PresetTraits.ts"
import { type Draft, draftOf, makeVersion, useDraft, VersionForm } from "./VersionForm.tsx"

type VersionDraft = Draft & { readonly from: number }
const draftName = (slug: string): string => `version of ${slug}`
export const waitingDraft = (slug: string) => openDraft<VersionDraft>(draftName(slug)).read()

const notifyCreated = (
  { model, state }: PresetProps,
  { staged_version: staged, ...preset }: CreatedPreset
): number | undefined => {
  const version = (staged ?? preset.designated_version)?.version
  if (version === undefined) return undefined
  const name = `${model.slug}: ${versionName(version)}`
  if (staged !== undefined) {
    const isUsed = (): boolean => {
      const now = model.state.value.value ?? state
      return designatedOf(now) === version || labelsOf(now, version).length > 0
    }
    notify(`${name} is staged: no request uses it yet.`, { isOver: isUsed })
    return version
  }
  const before = designatedOf(state)
  // The change is based on the version just created, because a different version may be live now.
  const undo = (to: number) => () => void designate({ model, state: { ...state, preset } }, to)
  const series = seriesOf(model, "designation")
  notify(`${name} is created and live.`, before === undefined ? {} : { series, undo: undo(before) })
  return version
}

interface Props extends PresetProps {
  readonly from: Version
  readonly onClose: () => void
  readonly onMade: (version: number) => void
}

const useVersion = ({ from, model, onMade, state }: Props) => {
  // The preset's state when the user started writing, or at the last conflict.
  const seen = useSignal(state)
  const isStaged = useSignal(true)
  const toFault = async (cause: unknown): Promise<never> => {
    await model.reload()
    if (!isConflict(cause)) throw cause
    seen.value = model.state.value.value ?? seen.value
    const name = versionName(designatedOf(seen.value) ?? 1)
    throw new Error(
      `Someone else changed this preset first: ${name} is live now. ` +
        "Compare your draft with it, and submit again to add yours."
    )
  }
  const form = useDraft<VersionDraft>({
    name: draftName(model.slug),
    begin: { ...draftOf(from), from: from.version },
    make: (sent, keyFor) =>
      makeVersion(model.slug, sent, {
        idempotencyKey: keyFor([sent, isStaged.value]),
        ifMatch: seen.value.preset.designated_version_id,
        ...(isStaged.value ? { headers: { prefer: "handling=stage" } } : {})
      }).catch(toFault),
    onMade: async (made, isMounted) => {
      await model.reload()
      const version = notifyCreated({ model, state: seen.value }, made)
      if (version !== undefined && isMounted()) onMade(version)
    }
  })
  return { form, isStaged, state: seen.value }
}

export const NewVersion = (props: Props) => {
  const { from, model, onClose } = props
  const element = useRef<HTMLFormElement>(null)
  const id = useId()
  useShortcuts([
    { keys: "Ctrl+Enter", does: "Save the version", run: () => element.current?.requestSubmit() },
    { keys: "Escape", does: "Close the form and keep the draft", run: onClose }
  ])
  // A layout effect never takes the focus from a user who continues immediately.
  useLayoutEffect(() => element.current?.querySelector("textarea")?.focus(), [])
  const { form, isStaged, state } = useVersion(props)
  const { submit, ...draftForm } = form
  const designated = designatedOf(state)
  const live = state.versions.find(({ version }) => version === designated)
  const begun = versionName(form.draft.value.from)
  return (
    <form ref={element} class="version-form is-screen stack" aria-labelledby={id} onSubmit={submit}>
      <div class="apart">
        <h2 id={id}>New version from {begun}</h2>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      <VersionForm
        {...draftForm}
        from={begun}
        discardWord={`Start over from ${versionName(from.version)}`}
        slug={model.slug}
        submitWord={isStaged.value ? "Stage version" : "Create and make live"}
        live={live ?? state.preset.designated_version ?? from}
      >
        <Switch isOn={isStaged}>Stage it: keep {versionName(designated ?? 1)} live</Switch>
      </VersionForm>
    </form>
  )
}

const empty = { config: { model: "" }, format: "responses", system_prompt: null, wins: [] } as const
type PresetFormProps = Readonly<{ onClose: () => void; onMade: (slug: string) => void }>
export const NewPreset = (props: PresetFormProps) => {
  const { submit, ...form } = useDraft({
    name: "preset",
    begin: { ...draftOf(empty), slug: "" },
    make: (sent, keyFor) => {
      const options = { headers: { "if-none-match": "*" }, idempotencyKey: keyFor(sent) }
      return makeVersion(sent.slug, sent, options)
    },
    onMade: async ({ slug }, isMounted) => {
      notify(`${slug} created.`)
      if (isMounted()) props.onMade(slug)
    }
  })
  const { draft } = form
  const slugField = (
    <TextField
      label="Slug"
      hint="The name that requests use: letters, digits and . _ ~ -"
      class="input is-mono"
      value={draft.value.slug}
      onInput={({ currentTarget: { value: slug } }) => {
        draft.value = { ...draft.value, slug }
      }}
      required
      pattern={slugPattern}
      title="At most 255 letters, digits and . _ ~ -"
      spellcheck={false}
      autocomplete="off"
    />
  )
  return (
    <Dialog title="New preset" onClose={props.onClose} isWide>
      <form
        class="version-form stack"
        onSubmit={submit}
        onKeyDown={(event) => {
          // The page's shortcuts do nothing while a dialog is open.
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.requestSubmit()
        }}
      >
        <VersionForm {...form} submitWord="Create preset" head={slugField} />
      </form>
    </Dialog>
  )
}
