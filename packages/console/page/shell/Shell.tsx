/** The frame of every screen: where one is, where one can go, and whether the server is there. */
import { useSignal } from "@preact/signals"
import { isAway } from "../Api.ts"
import { goTo } from "../Router.ts"
import { shownScreens } from "../Screens.ts"
import { Icon } from "../ui/Icon.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { toggleTheme } from "../ui/Theme.ts"
import { Announcer, Toasts, undoLast } from "../ui/Toasts.tsx"
import { Navigation } from "./Navigation.tsx"
import { ScreenPlace } from "./ScreenPlace.tsx"
import { ShortcutList } from "./ShortcutList.tsx"

const toMain = (): void => {
  document.getElementById("main")?.focus()
}

const Away = () => (
  <div class="away" role="status" aria-live="polite">
    {isAway.value ? (
      <p>
        <Icon name="alert" />
        The server does not answer. What you see may be old; it goes on as soon as it is back.
      </p>
    ) : null}
  </div>
)

/** Shows the frame and the screen in it. */
export const Shell = () => {
  const isHelpOpen = useSignal(false)
  useShortcuts([
    ...shownScreens().map(({ nav, pattern, title }) => ({
      keys: `g ${nav?.key}`,
      does: `Go to ${title}`,
      run: () => goTo(pattern)
    })),
    { keys: "z", does: "Undo what was just done", run: undoLast },
    { keys: "t", does: "Change between light and dark", run: toggleTheme },
    {
      keys: "?",
      does: "Show these keys",
      run: () => {
        isHelpOpen.value = true
      }
    }
  ])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={toMain}>
        Skip to the content
      </button>
      <Navigation
        onHelp={() => {
          isHelpOpen.value = true
        }}
      />
      <div class="content">
        <Away />
        <main id="main" tabIndex={-1}>
          <ScreenPlace />
        </main>
      </div>
      <Toasts />
      <Announcer />
      {isHelpOpen.value ? (
        <ShortcutList
          onClose={() => {
            isHelpOpen.value = false
          }}
        />
      ) : null}
    </div>
  )
}
