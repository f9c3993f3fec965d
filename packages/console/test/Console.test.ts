/** Stories about jobs, in a real browser against the real server. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { job } from "./stories/Job.ts"
import { jobs } from "./stories/Jobs.ts"

describe("the console", () => {
  const stage = onStage()

  // These stories start with an empty store.
  describe("with jobs", () => jobs(stage))
  describe("with a job", () => job(stage))
})
