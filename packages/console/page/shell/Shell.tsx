/** The frame around all screens, with a warning if the server does not respond. */
import { isAway } from "../Api.ts"
import { DropZone } from "../jobs/DropZone.tsx"
import { goTo } from "../Router.ts"
import { shownScreens } from "../Screens.ts"
import { can, hasWorkspace } from "../session/Session.ts"
import { Icon } from "../ui/Button.tsx"
import { useOpening } from "../ui/Forms.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { toggleTheme } from "../ui/Theme.ts"
import { Announcer, Toasts, undoLast } from "../ui/Toasts.tsx"
import { CurrentScreen } from "./CurrentScreen.tsx"
import { Navigation } from "./Navigation.tsx"
import { ShortcutList } from "./ShortcutList.tsx"

const toMain = (): void => {
  document.getElementById("main")?.focus()
}

const Away = () => (
  <div class="away" role="status" aria-live="polite">
    {isAway.value ? (
      <p class="note bar">
        <Icon name="alert" />
        The server does not respond. What you see may be out of date; the page resumes as soon as
        the server is back.
      </p>
    ) : null}
  </div>
)

export const Shell = () => {
  const help = useOpening()
  useShortcuts([
    ...shownScreens().map(({ nav, pattern, title }) => ({
      keys: `g ${nav?.key}`,
      does: `Go to ${title}`,
      run: () => goTo(pattern)
    })),
    { keys: "z", does: "Undo the last action", run: undoLast },
    { keys: "t", does: "Switch between light and dark", run: toggleTheme },
    { keys: "?", does: "Show this list", run: help.open }
  ])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={toMain}>
        Skip to content
      </button>
      <Navigation onHelp={help.open} />
      <div class="content">
        <Away />
        <main id="main" tabIndex={-1}>
          <CurrentScreen />
        </main>
      </div>
      {hasWorkspace.value && can("transcriptions:write") ? <DropZone /> : null}
      <Toasts />
      <Announcer />
      {help.isOpen.value ? <ShortcutList onClose={help.close} /> : null}
    </div>
  )
}
