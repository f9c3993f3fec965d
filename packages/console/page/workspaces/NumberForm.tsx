/** A few numbers that may be left empty, changed together. */

import { useSignal } from "@preact/signals"
import { Button } from "../ui/Button.tsx"
import { textIn } from "../ui/FormDialog.tsx"

/** Shows the numbers, and saves them. */
export const NumberForm = <Name extends string>(given: {
  readonly names: ReadonlyArray<Name>
  readonly words: Readonly<Record<Name, string>>
  readonly values: Readonly<Record<Name, number | null>>
  readonly hint: string
  /** Takes the numbers that were changed: somebody else may have changed the others since. */
  readonly save: (values: Partial<Record<Name, number | null>>) => Promise<string | undefined>
}) => {
  const { names, values } = given
  const fault = useSignal("")
  const isBusy = useSignal(false)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    const fields = new FormData(form)
    const written = names.map((name) => {
      const text = textIn(fields, name)
      return [name, text === "" ? null : Number(text)] as const
    })
    const changed = written.filter(([name, value]) => value !== values[name])
    const wrong = await given.save(Object.fromEntries(changed) as typeof given.values)
    isBusy.value = false
    fault.value = wrong ?? ""
    // Fields that were written in show what the server says from now on.
    if (wrong === undefined) form.reset()
  }
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {names.map((name) => (
        <label class="field" key={name}>
          <span class="field-label">{given.words[name]}</span>
          <input
            class="input"
            type="number"
            min={0}
            step="any"
            name={name}
            readOnly={isBusy.value}
            defaultValue={values[name] ?? ""}
            placeholder="–"
          />
        </label>
      ))}
      <Button type="submit" disabled={isBusy.value}>
        Save
      </Button>
      <p class="hint">{given.hint}</p>
      <p class="field-fault" role="alert">
        {fault.value}
      </p>
    </form>
  )
}
