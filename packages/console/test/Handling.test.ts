/** The stories of the console in a real browser, against the real server: how it is in the hand. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { departures } from "./stories/Departures.ts"
import { hands } from "./stories/Hands.ts"
import { haste } from "./stories/Haste.ts"
import { shapes } from "./stories/Shapes.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with what was just done", () => departures(stage))
  describe("in the hand", () => hands(stage))
  describe("in a quick hand", () => haste(stage))
  describe("with names of any kind", () => shapes(stage))
})
