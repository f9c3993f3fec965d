/** Buttons with text, an icon, or both. */
import type { ComponentProps } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

type Props = Omit<ComponentProps<"button">, "class" | "icon" | "label"> & {
  readonly class?: string
}

export const Button = ({
  children,
  class: look = "",
  icon,
  word,
  ...props
}: Props & { readonly icon?: IconName; readonly word?: string }) => (
  <button type="button" {...props} class={`button ${look}`.trim()}>
    {icon && <Icon name={icon} />}
    {word}
    {children}
  </button>
)

export const IconButton = ({
  class: look = "",
  icon,
  label,
  ...props
}: Props & { readonly icon: IconName; readonly label: string }) => (
  <button type="button" {...props} class={`icon-button ${look}`.trim()} aria-label={label}>
    <Icon name={icon} />
  </button>
)
