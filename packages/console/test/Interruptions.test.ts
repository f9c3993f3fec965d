/** Stories in a real browser against the real server: interruptions and failures. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { correctionOrder } from "./stories/CorrectionOrder.ts"
import { drafts } from "./stories/Drafts.ts"
import { failures } from "./stories/Failures.ts"
import { listPages } from "./stories/ListPages.ts"
import { repeatedActions } from "./stories/RepeatedActions.ts"
import { uploads } from "./stories/Uploads.ts"
import { versions } from "./stories/Versions.ts"

describe("the console", () => {
  const stage = onStage()

  describe("unsaved text", () => drafts(stage))
  describe("when an action is repeated", () => repeatedActions(stage))
  describe("successive corrections", () => correctionOrder(stage))
  describe("lists whose next page fails to load", () => listPages(stage))
  describe("with uploads", () => uploads(stage))
  describe("new versions", () => versions(stage))
  // These stories come last, because they replace the server process.
  describe("when something goes wrong", () => failures(stage))
})
