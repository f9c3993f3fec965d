/** The labels that point to a version, and those that could. */

import { useRef } from "preact/hooks"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Forms.tsx"
import { moveLabel, removeLabel, whyNotMove } from "./PresetActions.ts"
import type { Shown } from "./PresetModel.ts"
import { type Label, labelPattern, reservedPoints, versionName } from "./PresetTraits.ts"

interface Given extends Shown {
  readonly version: number
}

const Row = ({ label, model, standing, version }: Given & { readonly label: Label }) => {
  const why = whyNotMove(standing, label.label)
  const isHere = label.version === version
  return (
    <li class="label-row cluster">
      <span class="label-chip">{label.label}</span>
      <span class="hint">{isHere ? "points here" : `points to ${versionName(label.version)}`}</span>
      {why === undefined ? (
        <Button
          class="is-small"
          onClick={() =>
            void (isHere
              ? removeLabel(model, label)
              : moveLabel(model, standing, { label: label.label, version }))
          }
        >
          {isHere ? "Remove" : "Move here"}
          <span class="hidden"> {label.label}</span>
        </Button>
      ) : (
        <span class="hint label-why">{why}</span>
      )}
    </li>
  )
}

/** Shows the labels for as long as it is there. */
export const LabelDialog = (given: Given & { readonly onClose: () => void }) => {
  const { model, onClose, standing, version } = given
  const field = useRef<HTMLInputElement>(null)
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    const input = field.current
    if (input === null) return
    const label = input.value.trim()
    const why = reservedPoints.includes(label)
      ? `${label} is a word of its own, and no label.`
      : whyNotMove(standing, label)
    input.setCustomValidity(why ?? "")
    if (!input.reportValidity()) return
    const isMoved = await moveLabel(model, standing, { label, version })
    if (isMoved && input.value.trim() === label) input.value = ""
  }
  return (
    <Dialog title={`Labels and ${versionName(version)}`} onClose={onClose}>
      {standing.labels.length === 0 ? (
        <p class="hint">
          The preset has no labels yet. One such as production is moved when all is well.
        </p>
      ) : (
        <ul class="label-list">
          {standing.labels.map((label) => (
            <Row
              key={label.label}
              label={label}
              model={model}
              standing={standing}
              version={version}
            />
          ))}
        </ul>
      )}
      <form class="label-form" onSubmit={(event) => void add(event)}>
        <Field label="A new label">
          <input
            ref={field}
            class="input is-mono"
            required
            pattern={labelPattern}
            title="A letter, then letters, digits, _ or -; all small"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => event.currentTarget.setCustomValidity("")}
          />
        </Field>
        <Button icon="plus" type="submit">
          Point it here
        </Button>
      </form>
    </Dialog>
  )
}
