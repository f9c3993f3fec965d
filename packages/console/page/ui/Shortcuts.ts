/** The page's shortcuts. Users of speech input or of a screen reader can disable them. */
import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

type Shortcut = Readonly<{ keys: string; does: string; run: () => void; repeats?: boolean }>

const lists = signal<ReadonlyArray<Readonly<{ current: ReadonlyArray<Shortcut> }>>>([])
export const allShortcuts = () => lists.value.flatMap(({ current }) => current)
export const areEnabled = signal(true)
const pairMillis = 1_200
let before = { key: "", at: 0 }

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))

/** Returns the key's name, unless the focused element itself uses the key, as Escape or Space. */
const nameOf = ({ ctrlKey, key, metaKey, target }: KeyboardEvent): string | undefined => {
  if (ctrlKey || metaKey) return `Ctrl+${key === " " ? "Space" : key}`
  const isOn = (selector: string) => target instanceof HTMLElement && target.matches(selector)
  if (key === "Escape" && isOn("[type=search]")) return undefined
  if (key !== " ") return key
  return isOn("button, a, summary, input") ? undefined : "Space"
}

window.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, target } = event
  const key = nameOf(event)
  if (key === undefined || altKey) return
  // Escape and keys with Ctrl type no text, so they also work in fields, and need no switch.
  const isTyping = key !== "Escape" && !ctrlKey && !metaKey
  if (isTyping && (!areEnabled.value || isWriting(target))) return
  if (document.querySelector("dialog[open]") !== null) return
  const isSecond = event.timeStamp - before.at < pairMillis
  const pair = `${before.key} ${key}`
  const shortcuts = allShortcuts()
  const found =
    (isSecond ? shortcuts.find(({ keys }) => keys === pair) : undefined) ??
    shortcuts.find(({ keys }) => keys === key)
  before = { key, at: event.timeStamp }
  if (found === undefined) return
  event.preventDefault()
  if (!event.repeat || found.repeats === true) found.run()
})

/** Adds shortcuts while a component is mounted. The shortcuts always run the latest handlers. */
export const useShortcuts = (shortcutList: ReadonlyArray<Shortcut>): void => {
  const latest = useRef(shortcutList)
  latest.current = shortcutList
  // A layout effect runs before painting, so that no key is missed.
  useLayoutEffect(() => {
    lists.value = [...lists.value, latest]
    return () => {
      lists.value = lists.value.filter((each) => each !== latest)
    }
  }, [])
}
