/** What one's own workspace used; an operator sees all of them. */
import { useSignal } from "@preact/signals"
import { hasWorkspace, isOperator, may } from "../session/Session.ts"
import { Segments } from "../ui/Segments.tsx"
import { UsagePanel } from "./UsagePanel.tsx"

const views = { own: "This workspace", all: "All workspaces" } as const

/** The screen. */
export const UsageScreen = () => {
  const hasOwn = hasWorkspace.value && may("usage:read")
  const view = useSignal<keyof typeof views>("own")
  const isOwn = hasOwn && !(isOperator.value && view.value === "all")
  return (
    <>
      <div class="screen-head">
        <h1>Usage</h1>
        {hasOwn && isOperator.value ? (
          <Segments
            label="Whose usage"
            choices={["own", "all"] as const}
            chosen={view}
            wordOf={(each) => views[each]}
          />
        ) : null}
      </div>
      <UsagePanel key={String(isOwn)} isOperator={!isOwn} rowsBy={isOwn ? "key" : "workspace"} />
    </>
  )
}
