/** The other stories of the console: presets, transcripts, and changes while the page is open. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { live } from "./stories/Live.ts"
import { news } from "./stories/News.ts"
import { presets } from "./stories/Presets.ts"
import { transcripts } from "./stories/Transcripts.ts"

describe("the console", () => {
  const stage = onStage()

  describe("with presets", () => presets(stage))
  describe("with a transcript", () => transcripts(stage))
  describe("while things happen", () => live(stage))
  describe("with a list that listens", () => news(stage))
})
