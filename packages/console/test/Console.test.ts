/** The stories of the console in a real browser, against the real server. */
import { afterAll, beforeAll, describe } from "vitest"
import { openStage, type Stage } from "./Stage.ts"
import { entrance } from "./stories/Entrance.ts"
import { jobs } from "./stories/Jobs.ts"
import { presets } from "./stories/Presets.ts"

describe("the console", () => {
  let opened: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    opened = await openStage()
  })
  afterAll(() => opened.close())
  const stage = (): Stage => opened.stage

  describe("at its entrance", () => entrance(stage))
  describe("with jobs", () => jobs(stage))
  describe("with presets", () => presets(stage))
})
