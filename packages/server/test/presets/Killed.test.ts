/**
 * A process that is killed while it applies files, at each of its writes, before and after the
 * server has it: nothing half-made is ever live, and applying again ends as planned, once.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { operateHere } from "../Here.ts"
import { programArguments } from "../Program.ts"
import { dataDirectory, environment, type Settings } from "../ServerProcess.ts"
import { type KillPoint, startProxy } from "./KillingProxy.ts"
import { openRing } from "./OwnRing.ts"

const { root, started } = await openRing()

const points = (writes: number): ReadonlyArray<KillPoint> =>
  Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, side: "before" } as const,
    { write, side: "after" } as const
  ])

const file = (slug: string, says: string, more = "") =>
  `slug: ${slug}\nname: Is ${says}\nsystem_prompt: Be ${says}.\nconfig: {model: ${says}}\n${more}`

/** Kills an apply at a point, and returns the settings of a process that nobody kills. */
const killAt = async (point: KillPoint, args: ReadonlyArray<string>) => {
  const { keys, server } = await started
  let kill = () => {}
  await using proxy = await startProxy(server.address, { ...point, kill: () => kill() })
  const settings = (url: string): Settings => ({
    VERBATIM_URL: url,
    VERBATIM_KEY: keys.management
  })
  const child = spawn(process.execPath, [...programArguments("verbatim"), ...args], {
    env: environment(root, settings(proxy.url)),
    stdio: "ignore"
  })
  kill = () => child.kill("SIGKILL")
  const [code, signal] = await once(child, "exit")
  assert.deepStrictEqual([code, signal], [null, "SIGKILL"], `it ended before write ${point.write}`)
}

/** Runs a command that nobody kills. */
const run = async (...args: ReadonlyArray<string>) => {
  const { keys, server } = await started
  const settings = { VERBATIM_URL: server.address, VERBATIM_KEY: keys.management }
  return operateHere(root, ["presets", ...args], settings)
}

const applied = async (folder: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = await run("apply", "--yes", "--dir", folder, ...args)
  assert.strictEqual(status, 0, stdout + stderr)
}

/** What requests get; nothing where a preset is not in use. */
const meant = async (reference: string) => {
  const { status, stdout } = await run("resolve", reference)
  return status === 0 ? JSON.parse(stdout) : undefined
}

const whole = (says: string) => ({ instructions: `Be ${says}.`, model: says })

const mustBeWhole = async (reference: string) => {
  const request = await meant(reference)
  if (request === undefined) return
  const expected = request.model === "old" ? whole("old") : whole("new")
  assert.deepStrictEqual(request, expected, reference)
}

const headOf = async (reference: string): Promise<string> =>
  (await run("show", reference)).stdout.split("\n", 1)[0] ?? ""

const mustBeAgreed = async (folder: string, ...args: ReadonlyArray<string>) => {
  const { status, stdout } = await run("plan", "--dir", folder, ...args)
  assert.strictEqual(status, 0, stdout)
}

describe("an apply that is killed", () => {
  for (const [index, point] of points(8).entries()) {
    it(`${point.side} its write ${point.write} of 8 is finished by the next, once`, async () => {
      await using folder = await dataDirectory()
      const slugs = ["changed", "made", "shelved"].map((slug) => `${slug}-${index}`)
      const [changed = "", made = "", shelved = ""] = slugs
      const write = (slug: string, text: string) =>
        writeFile(join(folder.path, `${slug}.yaml`), text)
      await write(changed, file(changed, "old"))
      await write(shelved, file(shelved, "old"))
      await applied(folder.path)
      await write(changed, file(changed, "new", "status: disabled\n"))
      await write(made, file(made, "new", "status: disabled\n"))
      await write(shelved, file(shelved, "new", "status: archived\n"))
      await killAt(point, ["presets", "apply", "--yes", "--dir", folder.path])
      for (const slug of slugs) await mustBeWhole(slug)
      await applied(folder.path)
      await mustBeAgreed(folder.path)
      assert.include(await headOf(changed), "# version 2 of 2, designated")
      assert.include(await headOf(made), "# version 1 of 1, designated")
      assert.include(await headOf(shelved), "# version 2 of 2, designated")
    })
  }

  for (const [index, point] of points(4).entries()) {
    it(`${point.side} write ${point.write} of 4 moves each label by the next, once`, async () => {
      await using folder = await dataDirectory()
      const slugs = ["one", "two"].map((slug) => `${slug}-${index}`)
      const writeAll = (says: string) =>
        Promise.all(
          slugs.map((slug) => writeFile(join(folder.path, `${slug}.yaml`), file(slug, says)))
        )
      await writeAll("old")
      await applied(folder.path)
      await applied(folder.path, "--label", "live")
      await writeAll("new")
      const labelled = ["--yes", "--dir", folder.path, "--label", "live"]
      await killAt(point, ["presets", "apply", ...labelled])
      for (const slug of slugs) {
        await mustBeWhole(`${slug}@live`)
        assert.deepStrictEqual(await meant(slug), whole("old"))
      }
      await applied(folder.path, "--label", "live")
      await mustBeAgreed(folder.path, "--label", "live")
      for (const slug of slugs) {
        assert.include(await headOf(`${slug}@live`), "# version 2 of 2, designated is 1; live → 2")
      }
    })
  }
})
