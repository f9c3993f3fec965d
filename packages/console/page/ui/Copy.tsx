/** A text with a button that copies it. */
import { IconButton } from "./Button.tsx"
import { notify } from "./Toasts.tsx"

/** Copies a text, and reports if the browser does not allow this, as over plain `http`. */
export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify("Copied.")
  } catch {
    const sentence = "The browser does not allow copying here: select the text instead."
    notify(sentence, { isFault: true })
  }
}

/** Shows the text and the button. */
export const Copy = ({ text }: { readonly text: string }) => (
  <span class="copy">
    <code>{text}</code>
    <IconButton
      class="is-small"
      icon="copy"
      label={`Copy ${text}`}
      title="Copy"
      onClick={() => void copyText(text)}
    />
  </span>
)
