/** A few numbers that may be left empty, changed together. */

import { Button } from "../ui/Button.tsx"
import { Field, textIn, useSubmission } from "../ui/Forms.tsx"

/** Shows the numbers, and saves them. */
export const NumberForm = <Name extends string>(given: {
  readonly names: ReadonlyArray<Name>
  readonly words: Readonly<Record<Name, string>>
  readonly values: Readonly<Record<Name, number | null>>
  readonly hint: string
  /** Takes the numbers that were changed: somebody else may have changed the others since. */
  readonly save: (values: Partial<Record<Name, number | null>>) => Promise<void>
}) => {
  const { names, values } = given
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const fields = new FormData(form)
    const written = names.map((name) => {
      const text = textIn(fields, name)
      return [name, text === "" ? null : Number(text)] as const
    })
    const changed = written.filter(([name, value]) => value !== values[name])
    await given.save(Object.fromEntries(changed) as typeof given.values)
    // Fields that were written in show what the server says from now on.
    form.reset()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      {names.map((name) => (
        <Field label={given.words[name]} key={name}>
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
        </Field>
      ))}
      <Button type="submit" disabled={isBusy.value}>
        Save
      </Button>
      <p class="hint">{given.hint}</p>
      <p class="field-fault bar" role="alert">
        {fault.value}
      </p>
    </form>
  )
}
