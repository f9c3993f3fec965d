/**
 * The stories of the console in a real browser, against the real server: how it is in the hand, and
 * what it does when something comes in between.
 */
import { describe } from "vitest"
import { onStage } from "./Staged.ts"
import { departures } from "./stories/Departures.ts"
import { drafts } from "./stories/Drafts.ts"
import { hands } from "./stories/Hands.ts"
import { mishaps } from "./stories/Mishaps.ts"
import { sessions } from "./stories/Sessions.ts"
import { shapes } from "./stories/Shapes.ts"
import { uploads } from "./stories/Uploads.ts"
import { versions } from "./stories/Versions.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with what was just done", () => departures(stage))
  describe("with what is being written, which", () => drafts(stage))
  describe("in the hand", () => hands(stage))
  describe("with names of any kind", () => shapes(stage))
  describe("with recordings on their way", () => uploads(stage))
  describe("with sessions that", () => sessions(stage))
  describe("with versions that", () => versions(stage))
  // Ends with another process.
  describe("when something goes wrong", () => mishaps(stage))
})
