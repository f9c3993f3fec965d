/** Icons, and buttons with text, an icon, or both. */
import type { ComponentProps } from "preact"

type Props = Omit<ComponentProps<"button">, "class" | "icon" | "label"> & {
  readonly class?: string
}

/** `about` follows the word for screen readers, where several buttons have the same word. */
type ButtonProps = Props & { readonly icon?: IconName; readonly word?: string; about?: string }
export const Button = ({
  about,
  children,
  class: look = "",
  icon,
  word,
  ...props
}: ButtonProps) => (
  <button type="button" {...props} class={`button ${look}`.trim()}>
    {icon && <Icon name={icon} />}
    {word}
    {about && <span class="hidden"> {about}</span>}
    {children}
  </button>
)

type IconButtonProps = Props & { readonly icon: IconName; readonly label: string }
export const IconButton = ({ class: look = "", icon, label, ...props }: IconButtonProps) => (
  <button
    type="button"
    title={label}
    {...props}
    class={`icon-button ${look}`.trim()}
    aria-label={label}
  >
    <Icon name={icon} />
  </button>
)

const paths = {
  jobs: "M4 5.5h12M4 10h12M4 14.5h7",
  presets: "M5 3.5h7l3 3v10H5zM12 3.5v3h3M7.5 10.5h5M7.5 13.5h5",
  work: "M3 15.5V11m4.5 4.5v-8m4.5 8v-6m4.5 6v-11",
  workspaces: "M3.5 16.5v-8L10 3.5l6.5 5v8zM8 16.5v-5h4v5",
  keys: "M12.5 11.5a4 4 0 1 0-4-4c0 .5.1 1 .3 1.5L3.5 14v2.5H6V15h1.5v-1.5H9l2-2zM13 7h.01",
  usage: "M3.5 16.5h13M5 13l3.5-4 3 2.5L16 6",
  upload: "M10 13V4m0 0L6.5 7.5M10 4l3.5 3.5M4 13.5v3h12v-3",
  search: "M8.8 14.1a5.3 5.3 0 1 0 0-10.6 5.3 5.3 0 0 0 0 10.6zM12.8 12.8l3.7 3.7",
  filter: "M3.5 5h13M6 10h8M8.5 15h3",
  retry: "M15.5 10a5.5 5.5 0 1 1-1.7-4M15.5 3.5v3h-3",
  send: "M3.5 10 16.5 4l-4 12.5-3-5zm6 1.5 7-7.5",
  trash: "M4 6h12M8 6V4h4v2m-6.5 0 .7 10.5h7.6L14.5 6",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  alert: "M10 3 2.5 16.5h15zM10 8v4m0 2.2v.1",
  sun: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.5v1.3m0 12.4v1.3M2.5 10h1.3m12.4 0h1.3",
  moon: "M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z",
  leave: "M8 3.5H4v13h4M8.5 10h8m0 0L13 6.5m3.5 3.5L13 13.5",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5h.01m3 0h.01m3 0h.01m3 0h.01M6.5 11.7h7",
  play: "M6.5 4v12l9-6z",
  pause: "M7 4.5v11M13 4.5v11",
  back: "M16 10H4m0 0 4.5-4.5M4 10l4.5 4.5",
  copy: "M7 7h9v9H7zM4 13V4h9",
  download: "M10 4v9m0 0 3.5-3.5M10 13 6.5 9.5M4 13.5v3h12v-3",
  up: "m5 12.5 5-5 5 5",
  down: "m5 7.5 5 5 5-5",
  pen: "m4 16 .8-3.6L13 4.2l2.8 2.8-8.2 8.2zM11.5 5.7l2.8 2.8",
  plus: "M10 4v12M4 10h12",
  wave: "M4 8v4m3-6.5v9M10 8v4m3-8v12m3-8v4"
} as const

export type IconName = keyof typeof paths
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)

export const Logo = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M8 13v6M13 9v14M18 12v8M23 14.5v3" />
  </svg>
)
