/** A choice of one of a few, all of them in sight. */
import type { Signal } from "@preact/signals"

/** Shows it; `wordOf` is what stands on each. */
export const Segments = <Choice extends number | string>(given: {
  /** What is chosen, for whoever does not see it. */
  readonly label: string
  readonly choices: ReadonlyArray<Choice>
  readonly chosen: Signal<Choice>
  readonly wordOf: (choice: Choice) => string
}) => (
  <fieldset class="segments">
    <legend class="hidden">{given.label}</legend>
    {given.choices.map((choice) => (
      <button
        key={choice}
        type="button"
        class="segment"
        aria-pressed={given.chosen.value === choice}
        onClick={() => {
          given.chosen.value = choice
        }}
      >
        {given.wordOf(choice)}
      </button>
    ))}
  </fieldset>
)
