/**
 * A container without a runtime: a stage with a read-only root, a user of its own, the environment
 * of the recipe and nothing else, and its volumes.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { commandIn, freeze, type Layer, must } from "./Layers.ts"
import type { Setup } from "./Recipe.ts"

type Variables = Readonly<Record<string, string>>

/** How often its health is asked for before it counts as failed: a minute. */
const healthMax = 120

const modeMask = 0o7777

export class Container {
  readonly #layer: Layer
  readonly #place: Parameters<typeof commandIn>[1]
  readonly #setup: Setup
  readonly #child: ChildProcess

  constructor(
    stage: Layer,
    setup: Setup,
    { root, variables }: { root: string; variables: Variables }
  ) {
    this.#layer = freeze(stage, root)
    this.#setup = setup
    const environment = { ...setup.environment, ...variables }
    this.#place = { environment, folder: setup.folder, user: setup.user }
    for (const volume of setup.volumes) {
      const { gid, mode, uid } = statSync(join(root, volume))
      const options = `uid=${uid},gid=${gid},mode=${(mode & modeMask).toString(8)}`
      must("mount", "-t", "tmpfs", "-o", options, "none", join(root, volume))
    }
    const words = commandIn(this.#layer, this.#place, [...setup.entrypoint, ...setup.command])
    this.#child = spawn(words[0] ?? "", words.slice(1), { stdio: ["ignore", "inherit", "inherit"] })
  }

  /** Runs a program beside the first one, and tells its status and what it printed. */
  run(words: ReadonlyArray<string>) {
    const [program = "", ...args] = commandIn(this.#layer, this.#place, words)
    return spawnSync(program, args, { encoding: "utf8" })
  }

  /** Runs a command of the program, as `docker exec` would. */
  operate(...args: ReadonlyArray<string>) {
    return this.run([...this.#setup.entrypoint, ...args])
  }

  /** Waits until the health check of the recipe succeeds. */
  async healthy(): Promise<void> {
    for (let count = 0; count < healthMax; count += 1) {
      if (this.run(this.#setup.healthCommand).status === 0) return
      if (this.#child.exitCode !== null) break
      await sleep(500)
    }
    throw new Error("it did not become healthy")
  }

  /** Stops it, and tells its status. */
  async stop(): Promise<number | null> {
    const ended = once(this.#child, "exit")
    this.#child.kill("SIGTERM")
    const [status] = await ended
    return status
  }
}
