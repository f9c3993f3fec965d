/** Stories in a real browser against the real server: interruptions and failures. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { correctionOrder } from "./stories/CorrectionOrder.ts"
import { drafts } from "./stories/Drafts.ts"
import { failures } from "./stories/Failures.ts"
import { listPages } from "./stories/ListPages.ts"
import { repeatedActions } from "./stories/RepeatedActions.ts"
import { sessions } from "./stories/Sessions.ts"
import { uploads } from "./stories/Uploads.ts"
import { versions } from "./stories/Versions.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with unsaved text, which", () => drafts(stage))
  describe("with repeated actions", () => repeatedActions(stage))
  describe("with several corrections, which", () => correctionOrder(stage))
  describe("with lists whose next page fails, which", () => listPages(stage))
  describe("with uploads", () => uploads(stage))
  describe("with sessions that", () => sessions(stage))
  describe("with versions that", () => versions(stage))
  // Ends with another server process.
  describe("when something goes wrong", () => failures(stage))
})
