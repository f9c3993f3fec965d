/** The keys that do something here, and the switch that silences them. */

import { Dialog } from "../ui/Dialog.tsx"
import { areOn, shortcuts } from "../ui/Shortcuts.ts"

const moves = [
  { keys: "↓ ↑", does: "Next or previous line of a list" },
  { keys: "Enter", does: "Open the line" },
  { keys: "Esc", does: "Close a dialog" }
]

/** Shows the list. */
export const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl class="keys">
      {[...shortcuts.value, ...moves].map(({ does, keys }) => (
        <div class="keys-line apart" key={keys + does}>
          <dt>
            {keys.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <label class="switch bar">
      <input
        type="checkbox"
        checked={areOn.value}
        onChange={(event) => {
          areOn.value = event.currentTarget.checked
        }}
      />
      Single keys do something
    </label>
  </Dialog>
)
