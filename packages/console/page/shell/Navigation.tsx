/** Where one can go, and who one is: at the side, or below on a phone. */
import { linkTo, path } from "../Router.ts"
import { shownScreens } from "../Screens.ts"
import { logOut, session } from "../session/Session.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { theme, toggleTheme } from "../ui/Theme.ts"

const isWithin = (pattern: string): boolean =>
  path.value === pattern || path.value.startsWith(`${pattern}/`)

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

/** Shows the navigation. */
export const Navigation = ({ onHelp }: { readonly onHelp: () => void }) => (
  <header class="side">
    <a class="brand" href={linkTo("/")}>
      <Mark />
      <span>Verbatim</span>
    </a>
    <nav aria-label="Screens">
      <ul class="nav">
        {shownScreens().map(({ nav, pattern, title }) => (
          <li key={pattern}>
            <a
              href={linkTo(pattern)}
              class="nav-link"
              aria-current={isWithin(pattern) ? "page" : undefined}
            >
              <Icon name={nav?.icon ?? "jobs"} />
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <div class="side-end">
      <Who />
      <div class="side-tools">
        <button
          type="button"
          class="icon-button"
          aria-label={theme.value === "dark" ? "Use light colours" : "Use dark colours"}
          title="Light or dark (t)"
          onClick={toggleTheme}
        >
          <Icon name={theme.value === "dark" ? "sun" : "moon"} />
        </button>
        <button
          type="button"
          class="icon-button is-keys"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={onHelp}
        >
          <Icon name="keyboard" />
        </button>
        {session.value?.by === "key" ? (
          <button
            type="button"
            class="icon-button"
            aria-label="Log out"
            title="Log out"
            onClick={() => void logOut()}
          >
            <Icon name="leave" />
          </button>
        ) : null}
      </div>
    </div>
  </header>
)
