/** The list of keyboard shortcuts, and the switch that disables them. */
import { Dialog, Switch } from "../ui/Forms.tsx"
import { areEnabled, shortcuts } from "../ui/Shortcuts.ts"

/** The labels on keyboards, where they differ from the browser's names for the keys. */
const labels: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" }

const moves = [
  { keys: "↓ ↑", does: "Next or previous row of a list" },
  { keys: "Enter", does: "Open the row" },
  { keys: "Escape", does: "Close a dialog" }
]

export const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="keys lines">
      {[...shortcuts.value, ...moves].map(({ does, keys }) => (
        <div class="line apart" key={keys + does}>
          <dt>
            {keys.split(/[ +]/).map((key) => (
              <kbd key={key}>{labels[key] ?? key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <Switch isOn={areEnabled}>Enable shortcuts</Switch>
  </Dialog>
)
