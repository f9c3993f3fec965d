/** Buttons: with words, with a sign beside them, or with a sign alone. */
import type { ComponentProps } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

type Given = Omit<ComponentProps<"button">, "class" | "icon" | "label"> & {
  readonly class?: string
}

/** Shows the button; a form is sent by one of the type `submit`. */
export const Button = ({
  children,
  class: look = "",
  icon,
  ...given
}: Given & { readonly icon?: IconName }) => (
  <button type="button" {...given} class={`button ${look}`.trim()}>
    {icon === undefined ? null : <Icon name={icon} />}
    {children}
  </button>
)

/** Shows the sign as a button, and says what it does to whoever does not see it. */
export const IconButton = ({
  class: look = "",
  icon,
  label,
  ...given
}: Given & { readonly icon: IconName; readonly label: string }) => (
  <button type="button" {...given} class={`icon-button ${look}`.trim()} aria-label={label}>
    <Icon name={icon} />
  </button>
)
