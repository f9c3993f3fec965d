/**
 * The page of the console in a real browser: its sizes, how soon it can be used, and how long it
 * stands still. The program is beside the stories, whose server and browser it has.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(
  new URL("../../packages/console/test/measure/main.ts", import.meta.url)
)

/** Runs it, and fails as it does. */
export const measureConsole = async (): Promise<void> => {
  const child = spawn(process.execPath, ["--conditions=@verbatim/source", program], {
    stdio: "inherit"
  })
  const [status] = await once(child, "exit")
  if (status !== 0) process.exitCode = 1
}
