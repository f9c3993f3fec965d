/** What one's own workspace used; an operator sees all of them. */
import { hasWorkspace, may } from "../session/Session.ts"
import { UsagePanel } from "./UsagePanel.tsx"

/** The screen. */
export const UsageScreen = () => {
  const isOwn = hasWorkspace.value && may("usage:read")
  return (
    <>
      <div class="screen-head">
        <h1>Usage</h1>
      </div>
      <UsagePanel isOperator={!isOwn} rowsBy={isOwn ? "key" : "workspace"} />
    </>
  )
}
