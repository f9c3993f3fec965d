/** A dialog for pointing labels at a version. */
import { useRef } from "preact/hooks"
import { Button, IconButton } from "../ui/Button.tsx"
import { Dialog, Field } from "../ui/Forms.tsx"
import { moveRefusal, pointLabel } from "./PresetActions.ts"
import type { PresetProps } from "./PresetModel.ts"
import { type Label, labelPattern, type Version, versionName } from "./PresetTraits.ts"

export const NewVariables = (props: {
  readonly version: Version
  /** The variables that requests supply already. */
  readonly known: ReadonlyArray<string>
  readonly label?: string
}) => {
  const { known, label, version } = props
  const added = version.variables.filter((name) => !known.includes(name))
  if (added.length === 0) return null
  const name = versionName(version.version)
  const start = label === undefined ? `${name} is live` : `${label} points to ${name}`
  const [noun, pronoun] = added.length === 1 ? ["variable", "it"] : ["variables", "them"]
  return (
    <p class="note">
      New {noun}: {added.join(", ")}. Once {start}, requests without {pronoun} fail.
    </p>
  )
}

const reservedPoints = ["designated", "latest"]

type Props = PresetProps & { readonly version: Version }
export const LabelDialog = (props: Props & { readonly onClose: () => void }) => {
  const { onClose, state, version } = props
  const field = useRef<HTMLInputElement>(null)
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    const input = field.current
    if (input === null) return
    const label = input.value.trim()
    const why = reservedPoints.includes(label)
      ? `${label} is reserved and cannot be a label.`
      : moveRefusal(state, label)
    input.setCustomValidity(why ?? "")
    if (!input.reportValidity()) return
    const isMoved = await pointLabel(props, label, version.version)
    if (isMoved && input.value.trim() === label) input.value = ""
  }
  const showLabel = ({ label, version: now }: Label) => {
    const why = moveRefusal(state, label)
    const isHere = now === version.version
    // A label may point to a version that is not loaded. Its variables are unknown.
    const pointed = state.versions.find((each) => each.version === now)
    const move = () => void pointLabel(props, label, version.version)
    return (
      <li class="line cluster" key={label}>
        <span class="label-chip">{label}</span>
        <span class="hint">{isHere ? "points here" : `points to ${versionName(now)}`}</span>
        {why === undefined ? (
          <>
            <Button
              class="is-small"
              aria-disabled={isHere}
              onClick={isHere ? undefined : move}
              word="Move here"
              about={label}
            />
            <IconButton
              class="is-small"
              icon="trash"
              label={`Remove ${label}`}
              onClick={() => void pointLabel(props, label)}
            />
            {pointed && <NewVariables version={version} known={pointed.variables} label={label} />}
          </>
        ) : (
          <span class="hint label-why">{why}</span>
        )}
      </li>
    )
  }
  return (
    <Dialog title={`Labels for ${versionName(version.version)}`} onClose={onClose}>
      {state.labels.length === 0 ? (
        <p class="hint">
          No labels yet. Add one, such as production, and move it when a version is ready.
        </p>
      ) : (
        <ul class="lines">{state.labels.map(showLabel)}</ul>
      )}
      <form class="inline-form" noValidate onSubmit={(event) => void add(event)}>
        <Field label="New label">
          <input
            ref={field}
            class="input is-mono"
            required
            pattern={labelPattern}
            title="A lowercase letter, then lowercase letters, digits, _ or -"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => currentTarget.setCustomValidity("")}
          />
        </Field>
        <Button icon="plus" type="submit" word="Point here" />
      </form>
    </Dialog>
  )
}
