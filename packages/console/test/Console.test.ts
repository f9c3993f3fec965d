/** The stories of the console in a real browser, against the real server. */
import { afterAll, beforeAll, describe } from "vitest"
import { openStage, type Stage } from "./Stage.ts"
import { attacks } from "./stories/Attacks.ts"
import { entrance } from "./stories/Entrance.ts"
import { guarded } from "./stories/Guarded.ts"
import { job } from "./stories/Job.ts"
import { jobs } from "./stories/Jobs.ts"
import { live } from "./stories/Live.ts"
import { news } from "./stories/News.ts"
import { operators } from "./stories/Operators.ts"
import { places } from "./stories/Places.ts"
import { presets } from "./stories/Presets.ts"
import { speech } from "./stories/Speech.ts"
import { transcripts } from "./stories/Transcripts.ts"

describe("the console", () => {
  let opened: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    opened = await openStage()
  })
  afterAll(() => opened.close())
  const stage = (): Stage => opened.stage

  describe("at its entrance", () => entrance(stage))
  // Begins with an empty store.
  describe("with jobs", () => jobs(stage))
  describe("with presets", () => presets(stage))
  describe("with a transcript", () => transcripts(stage))
  // On a server of its own.
  describe("with speech", () => speech(stage))
  describe("with a job", () => job(stage))
  describe("while things happen", () => live(stage))
  describe("with a list that listens", () => news(stage))
  describe("for operators", () => operators(stage))
  describe("against others", () => guarded(stage))
  describe("against pages of others, which", () => attacks(stage))
  // Ends with another process.
  describe("wherever it is", () => places(stage))
})
