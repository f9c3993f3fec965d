/** Where one can go, and who one is: at the side, or below on a phone. */

import { useSignal } from "@preact/signals"
import { dropUploads } from "../jobs/Uploads.ts"
import { KeyForm } from "../login/KeyForm.tsx"
import { linkTo, path } from "../Router.ts"
import { homePath, shownScreens } from "../Screens.ts"
import { dropDrafts } from "../session/Drafts.ts"
import { logOut, session } from "../session/Session.ts"
import { IconButton } from "../ui/Button.tsx"
import { doAllNow } from "../ui/Deferred.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon, Mark } from "../ui/Icon.tsx"
import { theme, toggleTheme } from "../ui/Theme.ts"

const isWithin = (pattern: string): boolean => {
  const now = path.value === "/" ? homePath() : path.value
  return now === pattern || now.startsWith(`${pattern}/`)
}

/** Whose key it is, in a few words. */
const Who = () => {
  const now = session.value
  if (now === undefined) return null
  const words = [
    ...(now.by === "host"
      ? [now.access === "read" ? "You may look" : "You may change things"]
      : []),
    ...(now.workspace === null
      ? []
      : [`${now.workspace.kind === "management" ? "Management" : "Inference"} key`]),
    ...(now.operator === null ? [] : ["Operator key"])
  ]
  return <p class="who">{words.join(" · ")}</p>
}

/** Whoever has a key of a workspace and an operator key may have both here. */
const AddKey = () => {
  const isOpen = useSignal(false)
  const now = session.value
  if (now?.by !== "key" || (now.workspace !== null && now.operator !== null)) return null
  const missing = now.operator === null ? "an operator key" : "a key of a workspace"
  const close = (): void => {
    isOpen.value = false
  }
  return (
    <>
      <IconButton
        icon="keys"
        label={`Add ${missing}`}
        title={`Add ${missing}`}
        onClick={() => {
          isOpen.value = true
        }}
      />
      {isOpen.value ? (
        <Dialog title="Add a key" onClose={close}>
          <KeyForm hint={`Add ${missing} to this session.`} verb="Add" adds onDone={close} />
        </Dialog>
      ) : null}
    </>
  )
}

/** Whoever logs out is not kept by a server that answers late: it was asked, and does it anyway. */
const leaveMillisMax = 3_000

/** What was only said to be done is done with the session that it was said in. */
const leave = async (): Promise<void> => {
  const limit = new Promise((resolve) => setTimeout(resolve, leaveMillisMax))
  await Promise.race([doAllNow(), limit])
  dropDrafts()
  dropUploads()
  await logOut()
}

/** Shows the navigation. */
export const Navigation = ({ onHelp }: { readonly onHelp: () => void }) => (
  <header class="side">
    <a class="brand bar" href={linkTo("/")}>
      <Mark />
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
      <Who />
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
          <IconButton icon="leave" label="Log out" title="Log out" onClick={() => void leave()} />
        ) : null}
      </div>
    </div>
  </header>
)
