/**
 * The stories of the console in a real browser, against the real server: what it does when
 * something comes in between.
 */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { drafts } from "./stories/Drafts.ts"
import { mishaps } from "./stories/Mishaps.ts"
import { pages } from "./stories/Pages.ts"
import { repeats } from "./stories/Repeats.ts"
import { rewrites } from "./stories/Rewrites.ts"
import { sessions } from "./stories/Sessions.ts"
import { uploads } from "./stories/Uploads.ts"
import { versions } from "./stories/Versions.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with what is being written, which", () => drafts(stage))
  describe("with what is done twice, which", () => repeats(stage))
  describe("with a second correction, which", () => rewrites(stage))
  describe("with lists whose next page cannot be read, which", () => pages(stage))
  describe("with recordings on their way", () => uploads(stage))
  describe("with sessions that", () => sessions(stage))
  describe("with versions that", () => versions(stage))
  // Ends with another process.
  describe("when something goes wrong", () => mishaps(stage))
})
