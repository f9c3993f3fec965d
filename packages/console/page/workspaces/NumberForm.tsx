/** A form for a few optional numbers that are saved together. */

import { Button } from "../ui/Button.tsx"
import { Field, FieldFault, textIn, useSubmission } from "../ui/Forms.tsx"

/** Shows the form. */
export const NumberForm = <Name extends string>(props: {
  readonly names: ReadonlyArray<Name>
  readonly words: Readonly<Record<Name, string>>
  readonly values: Readonly<Record<Name, number | null>>
  readonly hint: string
  /** Saves only the changed numbers, because other operators may have changed the others since. */
  readonly save: (values: Partial<Record<Name, number | null>>) => Promise<void>
}) => {
  const { names, values } = props
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const fields = new FormData(form)
    const written = names.map((name) => {
      const text = textIn(fields, name)
      return [name, text === "" ? null : Number(text)] as const
    })
    const changed = written.filter(([name, value]) => value !== values[name])
    await props.save(Object.fromEntries(changed) as typeof props.values)
    // From now on, the fields show the server's values.
    form.reset()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      {names.map((name) => (
        <Field label={props.words[name]} key={name}>
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
      <p class="hint">{props.hint}</p>
      <FieldFault text={fault.value} />
    </form>
  )
}
