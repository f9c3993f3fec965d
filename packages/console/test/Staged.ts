/** A stage for the stories of a file, opened before the first and closed after the last. */
import { afterAll, beforeAll } from "vitest"
import { openStage, type Stage } from "./Stage.ts"

/**
 * How often a story that failed is told once more: a browser, a server and an engine at once keep
 * to no clock of a test. `.ci/run` allows one, and names each story that took it.
 */
export const retold = { retry: Number(process.env.VERBATIM_TEST_RETRIES ?? 0) }

/** Opens it; the stories ask for it when they are told. */
export const onStage = (): (() => Stage) => {
  let opened: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    opened = await openStage()
  })
  afterAll(() => opened.close())
  return () => opened.stage
}
