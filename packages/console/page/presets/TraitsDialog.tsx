/** Name and description of a preset; requests keep using its slug. */
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import { changeTraits } from "./PresetActions.ts"
import type { Shown } from "./PresetModel.ts"

/** Shows the fields for as long as it is there. */
export const TraitsDialog = (
  given: Shown & {
    readonly onClose: () => void
  }
) => {
  const { model, onClose, standing } = given
  const { description, name, slug } = standing.preset
  const submit = (form: FormData): Promise<void> => {
    const about = textIn(form, "description")
    const traits = { name: textIn(form, "name"), description: about === "" ? null : about }
    return changeTraits(model, standing, traits)
  }
  return (
    <FormDialog title={`Rename ${slug}`} action="Save" submit={submit} onClose={onClose}>
      <Field label="Name">
        <input class="input" name="name" required maxLength={255} defaultValue={name} />
      </Field>
      <Field label="Description">
        <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
      </Field>
      <p class="hint">Requests go on using {slug}.</p>
    </FormDialog>
  )
}
