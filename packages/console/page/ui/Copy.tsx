/** A text that is taken along: one press copies it. */
import { Icon } from "./Icon.tsx"
import { notify } from "./Toasts.tsx"

/** Copies a text; where the browser lets nobody, it says so. */
export const copyText = (text: string): void => {
  navigator.clipboard
    ?.writeText(text)
    .then(() => notify("Copied."))
    .catch(() => notify("The browser does not let this page copy.", { isFault: true }))
}

/** Shows the text and its button. */
export const Copy = ({ text }: { readonly text: string }) => (
  <span class="copy">
    <code>{text}</code>
    <button
      type="button"
      class="icon-button is-small"
      aria-label={`Copy ${text}`}
      title="Copy"
      onClick={() => copyText(text)}
    >
      <Icon name="copy" />
    </button>
  </span>
)
