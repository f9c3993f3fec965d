/** Shows the screen that the address names. The screen's code is loaded on first use. */
import { signal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect, useErrorBoundary, useLayoutEffect } from "preact/hooks"
import { fetchApi, isAway } from "../Api.ts"
import { match, type Parameters, path } from "../Router.ts"
import { homePath, loaders, screens } from "../Screens.ts"
import { Empty, Fault, Skeleton } from "../ui/Loaded.tsx"
import { enterScreen } from "./ScrollRestoration.ts"

type Program = ComponentType<{ readonly params: Parameters }>

/** The code of the screens. Browsers load code that failed again only if they reload the page. */
const programs = signal<ReadonlyMap<string, Program | "failed">>(new Map())

const findScreen = (path: string) => {
  const wanted = path === "/" ? homePath() : path
  for (const screen of screens) {
    const params = match(screen.pattern, wanted)
    if (params !== undefined && screen.isOpen()) return { screen, params }
  }
  return undefined
}

const Guard = ({ children }: { readonly children: ComponentChildren }) => {
  const [fault, again] = useErrorBoundary()
  if (fault === undefined) return children
  return <Fault text="This screen cannot be shown because of an error in its code." again={again} />
}

export const CurrentScreen = () => {
  const found = findScreen(path.value)
  const pattern = found?.screen.pattern ?? ""
  const Program = programs.value.get(pattern)
  // Screens with their own titles set them once they are loaded.
  useEffect(() => {
    document.title = found === undefined ? "Verbatim" : `${found.screen.title} – Verbatim`
  }, [path.value])
  useEffect(() => {
    if (found === undefined || typeof Program === "function" || isAway.value) return
    const note = (program: Program | "failed"): void => {
      programs.value = new Map([...programs.value, [pattern, program]])
    }
    loaders[found.screen.pattern]().then(note, () => {
      note("failed")
      // This request shows whether the server is unreachable.
      fetchApi("/health").catch(() => undefined)
    })
  }, [pattern, isAway.value])
  // A layout effect never takes the focus from a user who continues immediately.
  useLayoutEffect(() => enterScreen(found?.screen.title ?? "Page not found"), [path.value])
  if (found === undefined) {
    const link = { to: homePath(), word: "Go to the start page" }
    return (
      <Empty level="h1" icon="search" title="Page not found" link={link}>
        <p>It does not exist, or your key has no access to it.</p>
      </Empty>
    )
  }
  if (Program === "failed" && !isAway.value) {
    const text = "This screen could not be loaded. The server may have been updated."
    return <Fault text={text} again={() => location.reload()} />
  }
  if (Program === undefined || Program === "failed") return <Skeleton lines={6} height={56} />
  return (
    <Guard key={path.value}>
      <Program params={found.params} />
    </Guard>
  )
}
