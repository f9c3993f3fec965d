/** A stage for the stories of a file, opened before the first and closed after the last. */
import { afterAll, beforeAll } from "vitest"
import { openStage, type Stage } from "./Stage.ts"

/** Opens it; the stories ask for it when they are told. */
export const onStage = (): (() => Stage) => {
  let opened: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    opened = await openStage()
  })
  afterAll(() => opened.close())
  return () => opened.stage
}
