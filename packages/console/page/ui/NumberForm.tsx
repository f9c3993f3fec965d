/** Fields for several optional numbers, and a form that saves them together. */

import { Button } from "./Button.tsx"
import { Field, FieldFault, textIn, useSubmission } from "./Forms.tsx"

type Numbers = Readonly<Record<string, number | null>>

type Labels = Readonly<Record<string, string>>

export const NumberFields = (props: {
  readonly words: Labels
  readonly values?: Numbers
  readonly isBusy?: boolean
}) => (
  <>
    {Object.entries(props.words).map(([name, word]) => (
      <Field label={word} key={name}>
        <input
          class="input"
          type="number"
          min={1}
          name={name}
          readOnly={props.isBusy}
          defaultValue={props.values?.[name] ?? ""}
          placeholder="–"
        />
      </Field>
    ))}
  </>
)

/** Returns the submitted numbers, with null for each empty field. */
export const readNumbers = (form: FormData, words: Labels): Numbers =>
  Object.fromEntries(
    Object.keys(words).map((name) => {
      const text = textIn(form, name)
      return [name, text === "" ? null : Number(text)]
    })
  )

export const NumberForm = (props: {
  readonly words: Labels
  readonly values: Numbers
  readonly hint: string
  /** Saves only the changed numbers, because other operators may have changed the rest since. */
  readonly save: (changed: Numbers) => Promise<void>
}) => {
  const { hint, save, values, words } = props
  const { fault, isBusy, submit } = useSubmission(async (form) => {
    const written = Object.entries(readNumbers(new FormData(form), words))
    await save(Object.fromEntries(written.filter(([name, value]) => value !== values[name])))
    // After the reset, the fields show the server's values.
    form.reset()
  })
  return (
    <form class="inline-form" onSubmit={submit}>
      <NumberFields words={words} values={values} isBusy={isBusy.value} />
      <Button type="submit" aria-disabled={isBusy.value} word="Save" />
      <p class="hint">{hint}</p>
      <FieldFault text={fault.value} />
    </form>
  )
}
