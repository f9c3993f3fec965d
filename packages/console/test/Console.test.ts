/** The stories of the console in a real browser, against the real server: work with it. */
import { describe } from "vitest"
import { onStage } from "./Staged.ts"
import { job } from "./stories/Job.ts"
import { jobs } from "./stories/Jobs.ts"
import { live } from "./stories/Live.ts"
import { news } from "./stories/News.ts"
import { presets } from "./stories/Presets.ts"
import { transcripts } from "./stories/Transcripts.ts"

describe("the console", () => {
  const stage = onStage()

  // Begins with an empty store.
  describe("with jobs", () => jobs(stage))
  describe("with presets", () => presets(stage))
  describe("with a transcript", () => transcripts(stage))
  describe("with a job", () => job(stage))
  describe("while things happen", () => live(stage))
  describe("with a list that listens", () => news(stage))
})
