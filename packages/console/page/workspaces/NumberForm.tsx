/** A form for several optional numbers that are saved together. */

import { Button } from "../ui/Button.tsx"
import { Field, FieldFault, textIn, useSubmission } from "../ui/Forms.tsx"

type Numbers = Readonly<Record<string, number | null>>

/** Shows the form. `words` contains the label for each number. */
export const NumberForm = (props: {
  readonly words: Readonly<Record<string, string>>
  readonly values: Numbers
  readonly hint: string
  /** Saves only the changed numbers, because other operators may have changed the rest since. */
  readonly save: (changed: Numbers) => Promise<void>
}) => {
  const { hint, save, values, words } = props
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const fields = new FormData(form)
    const written = Object.keys(words).map((name) => {
      const text = textIn(fields, name)
      return [name, text === "" ? null : Number(text)] as const
    })
    await save(Object.fromEntries(written.filter(([name, value]) => value !== values[name])))
    // After the reset, the fields show the server's values.
    form.reset()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      {Object.entries(words).map(([name, word]) => (
        <Field label={word} key={name}>
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
      <p class="hint">{hint}</p>
      <FieldFault text={fault.value} />
    </form>
  )
}
