/** Name and description of a preset; requests keep using its slug. */
import { FormDialog, textIn } from "../ui/FormDialog.tsx"
import { changeTraits } from "./PresetActions.ts"
import type { OfPreset } from "./PresetModel.ts"

/** Shows the fields for as long as it is there. */
export const TraitsDialog = (
  given: OfPreset & {
    readonly onClose: () => void
  }
) => {
  const { model, onClose, standing } = given
  const { description, name, slug } = standing.preset
  const submit = (form: FormData): Promise<string | undefined> => {
    const about = textIn(form, "description")
    const traits = { name: textIn(form, "name"), description: about === "" ? null : about }
    return changeTraits(model, standing, traits)
  }
  return (
    <FormDialog title={`Rename ${slug}`} action="Save" submit={submit} onClose={onClose}>
      <label class="field">
        <span class="field-label">Name</span>
        <input class="input" name="name" required maxLength={255} defaultValue={name} />
      </label>
      <label class="field">
        <span class="field-label">Description</span>
        <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
      </label>
      <p class="hint">Requests go on using {slug}.</p>
    </FormDialog>
  )
}
