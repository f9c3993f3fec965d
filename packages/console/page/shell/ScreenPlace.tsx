/** The screen that the address names; its program is fetched when it is first wanted. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect, useErrorBoundary, useLayoutEffect } from "preact/hooks"
import { fetchApi, isAway } from "../Api.ts"
import { linkTo, match, type Parameters, path } from "../Router.ts"
import { homePath, screens } from "../Screens.ts"
import { Empty, Fault, Skeleton } from "../ui/Empty.tsx"
import { arrive } from "./Arrival.ts"

type Program = ComponentType<{ readonly params: Parameters }>

const programs = new Map<string, Program>()

const findScreen = (path: string) => {
  const given = path === "/" ? homePath() : path
  for (const screen of screens) {
    const params = match(screen.pattern, given)
    if (params !== undefined && screen.isFor()) return { screen, params }
  }
  return undefined
}

const Unknown = () => (
  <Empty icon="search" title="There is no such screen here">
    <p>It does not exist, or your key may not see it.</p>
    <a class="button" href={linkTo(homePath())}>
      Go to the first screen
    </a>
  </Empty>
)

/** What cannot be drawn, because something is not as it should be, says so. */
const Guard = ({ children }: { readonly children: ComponentChildren }) => {
  const [fault, again] = useErrorBoundary()
  if (fault === undefined) return children
  return (
    <Fault
      text="This screen cannot be shown: something in it is not as it should be."
      again={again}
    />
  )
}

const Unfetched = () => (
  <Fault
    text="This screen could not be fetched. The server may be another one now."
    again={() => location.reload()}
  />
)

/** Shows the screen. */
export const ScreenPlace = () => {
  const found = findScreen(path.value)
  const pattern = found?.screen.pattern ?? ""
  const loaded = useSignal("")
  /** The one that could not be fetched. */
  const failed = useSignal("")
  // Once: the screen itself may know a better one.
  useEffect(() => {
    document.title = found === undefined ? "Verbatim" : `${found.screen.title} – Verbatim`
  }, [path.value])
  useEffect(() => {
    if (found === undefined || programs.has(pattern) || isAway.value) return undefined
    failed.value = ""
    let isLeft = false
    found.screen.load().then(
      (program) => {
        programs.set(pattern, program)
        loaded.value = pattern
      },
      () => {
        if (isLeft) return
        failed.value = pattern
        // Or it is away, which is known when it is asked.
        fetchApi("/health").catch(() => undefined)
      }
    )
    return () => {
      isLeft = true
    }
    // It is fetched when the server is back; what has failed, browsers fetch with the page alone.
  }, [pattern, isAway.value])
  // Before it is seen: whoever goes on at once is not taken away from where he is.
  useLayoutEffect(() => arrive(found?.screen.title ?? "There is no such screen here"), [path.value])
  // Read, so that the screen is drawn when its program has come.
  void loaded.value
  if (found === undefined) return <Unknown />
  const Program = programs.get(pattern)
  if (failed.value === pattern && !isAway.value) return <Unfetched />
  if (Program === undefined) return <Skeleton lines={6} height={56} />
  return (
    <Guard key={path.value}>
      <Program params={found.params} />
    </Guard>
  )
}
