/** A text that is taken along: one press copies it. */
import { IconButton } from "./Button.tsx"
import { notify } from "./Toasts.tsx"

/** Copies a text; where the browser lets nobody, as over plain `http`, it says so. */
export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify("Copied.")
  } catch {
    const sentence = "The browser does not let this page copy here: select the text instead."
    notify(sentence, { isFault: true })
  }
}

/** Shows the text and its button. */
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
