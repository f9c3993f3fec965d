/** How the tests run: on the sources, never on a stale build; real time is the exception. */
import { defineConfig } from "vitest/config"

/** The first is ours: under it a package is its TypeScript source. Vite's own ones follow. */
const conditions = ["@verbatim/source", "node", "development|production"]

export default defineConfig({
  // Without "module": what packages give for it is for bundlers, and Node cannot load all of it.
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "examples/test/**/*.test.ts",
      "scripts/test/**/*.test.ts"
    ],
    // Tests start servers and kill children: each file has a process of its own.
    pool: "forks",
    maxWorkers: 2,
    // For what hangs, however busy the machine is: no test judges by the clock.
    testTimeout: 180_000,
    hookTimeout: 180_000
  }
})
