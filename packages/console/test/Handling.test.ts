/** Stories in a real browser against the real server: undo, focus, early input and layout. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { earlyInput } from "./stories/EarlyInput.ts"
import { focus } from "./stories/Focus.ts"
import { layout } from "./stories/Layout.ts"
import { undo } from "./stories/Undo.ts"

describe("the console", () => {
  const stage = onStage()

  describe("after an action", () => undo(stage))
  describe("with focus, scrolling and keys", () => focus(stage))
  describe("when input arrives early", () => earlyInput(stage))
  describe("shows names of any length and script", () => layout(stage))
})
