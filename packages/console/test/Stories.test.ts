/** Stories about presets, transcripts, failures and live changes. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { batches } from "./stories/Batches.ts"
import { causes } from "./stories/Causes.ts"
import { live } from "./stories/Live.ts"
import { liveList } from "./stories/LiveList.ts"
import { partialTexts } from "./stories/PartialTexts.ts"
import { presets } from "./stories/Presets.ts"
import { reading } from "./stories/Reading.ts"
import { sharing } from "./stories/Sharing.ts"
import { transcripts } from "./stories/Transcripts.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with presets", () => presets(stage))
  describe("a transcript", () => transcripts(stage))
  describe("for a reader", () => reading(stage))
  describe("while jobs change", () => live(stage))
  describe("while a recording is recognised", () => partialTexts(stage))
  describe("when something failed", () => causes(stage))
  describe("with many jobs", () => batches(stage))
  describe("in several tabs", () => sharing(stage))
  describe("with a live list of jobs", () => liveList(stage))
})
