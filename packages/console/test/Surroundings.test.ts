/**
 * The stories of the console in a real browser, against the real server: what happens around it. On
 * a server of their own, beside the other stories.
 */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { attacks } from "./stories/Attacks.ts"
import { entrance } from "./stories/Entrance.ts"
import { guarded } from "./stories/Guarded.ts"
import { operators } from "./stories/Operators.ts"
import { places } from "./stories/Places.ts"

describe("the console", () => {
  const stage = onStage()

  describe("at its entrance", () => entrance(stage))
  describe("for operators", () => operators(stage))
  describe("against others", () => guarded(stage))
  describe("against pages of others, which", () => attacks(stage))
  // Ends with another process.
  describe("wherever it is", () => places(stage))
})
