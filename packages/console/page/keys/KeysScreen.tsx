/** The keys of one's own workspace. */
import { mayWrite } from "../session/Session.ts"
import { Card } from "../ui/Card.tsx"
import { ownKeys } from "./KeyCalls.ts"
import { KeyList } from "./KeyList.tsx"

/** The screen. */
export const KeysScreen = () => (
  <>
    <div class="screen-head">
      <h1>Keys</h1>
    </div>
    <Card title="Of this workspace">
      <KeyList of="own" calls={ownKeys} mayChange={mayWrite.value} />
    </Card>
  </>
)
