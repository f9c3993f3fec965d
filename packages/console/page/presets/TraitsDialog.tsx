/** Name and description of a preset; requests keep using its slug. */
import { useSignal } from "@preact/signals"
import { Dialog } from "../ui/Dialog.tsx"
import { changeTraits } from "./PresetActions.ts"
import type { PresetModel, Standing } from "./PresetModel.ts"

/** Shows the fields for as long as it is there. */
export const TraitsDialog = (given: {
  readonly model: PresetModel
  readonly standing: Standing
  readonly onClose: () => void
}) => {
  const { model, onClose, standing } = given
  const { description, name, slug } = standing.preset
  const fault = useSignal("")
  const submit = async (form: FormData): Promise<void> => {
    const text = (field: string): string => String(form.get(field) ?? "").trim()
    const about = text("description")
    const traits = { name: text("name"), description: about === "" ? null : about }
    fault.value = (await changeTraits(model, standing, traits)) ?? ""
    if (fault.value === "") onClose()
  }
  return (
    <Dialog title={`Rename ${slug}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <label class="field">
          <span class="field-label">Name</span>
          <input class="input" name="name" required maxLength={255} defaultValue={name} />
        </label>
        <label class="field">
          <span class="field-label">Description</span>
          <textarea class="input" name="description" rows={3} defaultValue={description ?? ""} />
        </label>
        <p class="hint">Requests go on using {slug}.</p>
        <p class="field-fault" role="alert">
          {fault.value}
        </p>
        <button type="submit" class="button is-primary is-wide">
          Save
        </button>
      </form>
    </Dialog>
  )
}
