/** A server with all keys for one test file, and the ways to reach it. */
import { afterAll, beforeAll } from "vitest"
import { dataDirectory, type Settings } from "../ServerProcess.ts"
import { type KeyName, startKeyedServer } from "./keyedServer.ts"

/** Starts the server before the first test of a file, and stops it after the last. */
export const useKeyedServer = async () => {
  const stack = new AsyncDisposableStack()
  const root = stack.use(await dataDirectory()).path
  const started = startKeyedServer(root)
  beforeAll(async () => stack.use((await started).server), 120_000)
  afterAll(() => stack.disposeAsync())
  /** Settings with which commands reach the presets. */
  const ways = {
    HTTP: async (key: KeyName): Promise<Settings> => {
      const { keys, server } = await started
      return { VERBATIM_URL: server.address, VERBATIM_KEY: keys[key] }
    },
    database: async (key: KeyName): Promise<Settings> => ({
      VERBATIM_KEY: (await started).keys[key]
    })
  } as const
  return { root, started, ways }
}
