/** Buttons: one with words, and one that is a sign, whose words are read out. */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "icon" | "label">

interface Given extends Attributes {
  readonly icon?: IconName
  /** What makes it another one than most: classes such as `is-primary`. */
  readonly look?: string
  readonly children?: ComponentChildren
}

/** Shows a button with words, and with a sign before them where it has one. */
export const Button = ({ children, icon, look = "", ...rest }: Given) => (
  <button type="button" {...rest} class={`button ${look}`}>
    {icon === undefined ? null : <Icon name={icon} />}
    {children}
  </button>
)

/** Shows a sign that is a button. */
export const IconButton = ({
  icon,
  label,
  look = "",
  ...rest
}: Omit<Given, "children"> & { readonly icon: IconName; readonly label: string }) => (
  <button type="button" {...rest} class={`icon-button ${look}`} aria-label={label}>
    <Icon name={icon} />
  </button>
)
