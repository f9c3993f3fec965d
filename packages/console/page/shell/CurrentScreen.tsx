/** Shows the screen that the address names. The screen's code is loaded on first use. */
import { signal, useSignal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect, useErrorBoundary, useLayoutEffect } from "preact/hooks"
import { fetchApi, isAway } from "../Api.ts"
import { match, type Parameters, path } from "../Router.ts"
import { homePath, screens } from "../Screens.ts"
import { Empty, Fault, Skeleton } from "../ui/Loaded.tsx"
import { enterScreen } from "./ScrollRestoration.ts"

type Program = ComponentType<{ readonly params: Parameters }>
const programs = signal<ReadonlyMap<string, Program>>(new Map())

const findScreen = (path: string) => {
  const wanted = path === "/" ? homePath() : path
  for (const screen of screens) {
    const params = match(screen.pattern, wanted)
    if (params !== undefined && screen.isAvailable()) return { screen, params }
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
  const failed = useSignal("")
  // Screens with their own titles set them once they are loaded.
  useEffect(() => {
    document.title = found === undefined ? "Verbatim" : `${found.screen.title} – Verbatim`
  }, [path.value])
  useEffect(() => {
    if (found === undefined || programs.peek().has(pattern) || isAway.value) return undefined
    failed.value = ""
    let isLeft = false
    found.screen.load().then(
      (program) => {
        programs.value = new Map([...programs.value, [pattern, program]])
      },
      () => {
        if (isLeft) return
        failed.value = pattern
        // This request shows whether the server is unreachable.
        fetchApi("/health").catch(() => undefined)
      }
    )
    return () => {
      isLeft = true
    }
    // After a failure, browsers load code again only if they reload the page.
  }, [pattern, isAway.value])
  // A layout effect never takes the focus from a user who continues immediately.
  useLayoutEffect(() => enterScreen(found?.screen.title ?? "Page not found"), [path.value])
  if (found === undefined) {
    const link = { to: homePath(), word: "Go to the start page" }
    return (
      <Empty icon="search" title="Page not found" link={link}>
        <p>It does not exist, or your key has no access to it.</p>
      </Empty>
    )
  }
  const Program = programs.value.get(pattern)
  if (failed.value === pattern && !isAway.value) {
    const text = "This screen could not be loaded. The server may have been updated."
    return <Fault text={text} again={() => location.reload()} />
  }
  if (Program === undefined) return <Skeleton lines={6} height={56} />
  return (
    <Guard key={path.value}>
      <Program params={found.params} />
    </Guard>
  )
}
