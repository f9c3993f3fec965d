/** Shows the navigation and the current session, at the side or, on a phone, at the bottom. */
import { cancelUploads } from "../jobs/Uploads.ts"
import { KeyForm } from "../login/KeyForm.tsx"
import { linkTo, path } from "../Router.ts"
import { homePath, shownScreens } from "../Screens.ts"
import { clearDrafts } from "../session/Drafts.ts"
import { logOut, session } from "../session/Session.ts"
import { Icon, IconButton, Logo } from "../ui/Button.tsx"
import { runAllNow } from "../ui/Deferred.ts"
import { Dialog, useOpening } from "../ui/Forms.tsx"
import { theme, toggleTheme } from "../ui/Theme.ts"

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
      <IconButton icon="keys" label={label} title={label} onClick={open} />
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
  const limit = new Promise((resolve) => setTimeout(resolve, finishMillisMax))
  await Promise.race([runAllNow(), limit])
  clearDrafts()
  cancelUploads()
  await logOut()
}

export const Navigation = ({ onHelp }: { readonly onHelp: () => void }) => (
  <header class="side">
    <a class="brand bar" href={linkTo("/")}>
      <Logo />
      <span>Verbatim</span>
    </a>
    <nav aria-label="Screens">
      <ul class="nav">
        {shownScreens().map(({ nav, pattern, title }) => (
          <li key={pattern}>
            <a
              href={linkTo(pattern)}
              class="nav-link bar"
              aria-current={isWithin(pattern) ? "page" : undefined}
            >
              <Icon name={nav?.icon ?? "jobs"} />
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
          <IconButton
            icon="leave"
            label="Log out"
            title="Log out"
            onClick={() => void finishAndLogOut()}
          />
        ) : null}
      </div>
    </div>
  </header>
)
