/** The frame around all screens: navigation, shortcuts, and a warning if the server is away. */
import { isAway } from "../Api.ts"
import { DropZone } from "../jobs/DropZone.tsx"
import { cancelUploads } from "../jobs/Uploads.ts"
import { KeyForm } from "../login/KeyForm.tsx"
import { goTo, linkTo, path } from "../Router.ts"
import { homePath, shownScreens } from "../Screens.ts"
import { clearDrafts } from "../session/Drafts.ts"
import { can, hasWorkspace, logOut, session } from "../session/Session.ts"
import { Icon, IconButton, Logo } from "../ui/Button.tsx"
import { sleep } from "../ui/Clock.ts"
import { bulkActions, runAllNow } from "../ui/Deferred.ts"
import { Dialog, Switch, useOpening } from "../ui/Forms.tsx"
import { allShortcuts, areEnabled, useShortcuts } from "../ui/Shortcuts.ts"
import { theme, toggleTheme } from "../ui/Theme.ts"
import { Announcer, Toasts, undoLast } from "../ui/Toasts.tsx"
import { CurrentScreen } from "./CurrentScreen.tsx"

export const Shell = () => {
  const help = useOpening()
  useShortcuts([
    ...shownScreens().map(({ key, pattern, title }) => ({
      keys: `g ${key}`,
      does: `Go to ${title}`,
      run: () => goTo(pattern)
    })),
    { keys: "z", does: "Undo the last action", run: undoLast },
    { keys: "t", does: "Switch between light and dark", run: toggleTheme },
    { keys: "?", does: "Show this list", run: help.open }
  ])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Navigation onHelp={help.open} />
      <div class="content">
        <div class="away" role="status" aria-live="polite">
          {isAway.value && (
            <p class="note bar">
              <Icon name="alert" />
              The server does not respond. What you see may be out of date; the page resumes as soon
              as the server is back.
            </p>
          )}
        </div>
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

const isWithin = (pattern: string): boolean => {
  const now = path.value === "/" ? homePath() : path.value
  return `${now}/`.startsWith(`${pattern}/`)
}

const SessionSummary = () => {
  const now = session.value
  if (now === undefined) return null
  const access = now.access === "read" ? "Read-only access" : "Read and write access"
  const kind = now.workspace?.kind === "management" ? "Management key" : "Inference key"
  const words = [
    now.by === "host" ? access : "",
    now.workspace?.workspace_name ?? "",
    now.workspace === null ? "" : kind,
    now.operator === null ? "" : "Operator key"
  ]
  return (
    <p class="who hint" dir="auto">
      {words.filter((each) => each !== "").join(" · ")}
    </p>
  )
}

/** Adds the second key to a session, or replaces the session's workspace key with another. */
const AddKey = () => {
  const { close, isOpen, open } = useOpening()
  const now = session.value
  if (now?.by !== "key") return null
  const isComplete = now.workspace !== null && now.operator !== null
  const missing = now.operator === null ? "an operator key" : "a workspace key"
  const label = isComplete ? "Change workspace" : `Add ${missing}`
  const hint = isComplete
    ? `Enter another workspace's key. This session then leaves ${now.workspace.workspace_name}.`
    : `Add ${missing} to this session.`
  return (
    <>
      <IconButton icon="keys" label={label} onClick={open} />
      {isOpen.value ? (
        <Dialog title={isComplete ? label : "Add a key"} onClose={close}>
          <KeyForm hint={hint} verb={isComplete ? "Change" : "Add"} adds onDone={close} />
        </Dialog>
      ) : null}
    </>
  )
}

/** By then, the server has received the pending deletes, and carries them out anyway. */
const finishMillisMax = 3_000

const finishAndLogOut = async (): Promise<void> => {
  await Promise.race([runAllNow(), sleep(finishMillisMax)])
  const isBusy = bulkActions.peek().size > 0
  if (isBusy && !confirm("An action on many jobs is running. Log out and stop it?")) return
  clearDrafts()
  cancelUploads()
  await logOut()
}

const Navigation = ({ onHelp }: { readonly onHelp: () => void }) => (
  <header class="side">
    <a class="brand bar" href={linkTo("/")}>
      <Logo />
      <span>Verbatim</span>
    </a>
    <nav aria-label="Screens">
      <ul class="nav">
        {shownScreens().map(({ icon = "jobs", pattern, title }) => (
          <li key={pattern}>
            <a
              href={linkTo(pattern)}
              class="nav-link bar"
              aria-current={isWithin(pattern) ? "page" : undefined}
            >
              <Icon name={icon} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <div class="side-end stack-2">
      <SessionSummary />
      <div class="side-tools">
        <AddKey />
        <IconButton
          icon={theme.value === "dark" ? "sun" : "moon"}
          label={theme.value === "dark" ? "Use light colours" : "Use dark colours"}
          title="Light or dark (t)"
          onClick={toggleTheme}
        />
        <IconButton
          class="is-keys"
          icon="keyboard"
          label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={onHelp}
        />
        {session.value?.by === "key" ? (
          <IconButton icon="leave" label="Log out" onClick={() => void finishAndLogOut()} />
        ) : null}
      </div>
    </div>
  </header>
)

/** The labels on keyboards, where they differ from the browser's names for the keys. */
const labels: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" }

const moves = [
  { keys: "↓ ↑", does: "Next or previous row of a list" },
  { keys: "Enter", does: "Open the row" },
  { keys: "Escape", does: "Close a dialog" }
]

const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="keys lines">
      {[...allShortcuts(), ...moves].map(({ does, keys }) => (
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
