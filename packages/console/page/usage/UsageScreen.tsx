/** What one's own workspace used; an operator sees all of them. */
import { useSignal } from "@preact/signals"
import { hasWorkspace, isOperator, may } from "../session/Session.ts"
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
          <fieldset class="segments">
            <legend class="hidden">Whose usage</legend>
            {(["own", "all"] as const).map((each) => (
              <button
                key={each}
                type="button"
                class="segment"
                aria-pressed={view.value === each}
                onClick={() => {
                  view.value = each
                }}
              >
                {views[each]}
              </button>
            ))}
          </fieldset>
        ) : null}
      </div>
      <UsagePanel key={String(isOwn)} isOperator={!isOwn} rowsBy={isOwn ? "key" : "workspace"} />
    </>
  )
}
