/** Finds running processes on this machine, for tests that stop programs. */
import { readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { Effect, Schedule } from "effect"

/**
 * Whether a program is running. A program that has ended keeps its id until its parent collects it.
 */
export const isAlive = (id: number): boolean => {
  try {
    process.kill(id, 0)
    return process.platform !== "linux" || !readFileSync(`/proc/${id}/stat`, "utf8").includes(") Z")
  } catch {
    return false
  }
}

/** Waits until the condition holds. If the condition never holds, the test times out. */
export const eventually = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { schedule: Schedule.spaced("10 millis"), until: (holds) => holds })

const mentions = (path: string) => (id: string) =>
  readFile(`/proc/${id}/cmdline`, "utf8").then(
    (line) => line.includes(path),
    () => false
  )

/** Counts the running programs that have a certain string in their arguments. Linux only. */
export const countMentioning = (path: string) =>
  Effect.promise(async () => {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
    const found = await Promise.all(ids.map(mentions(path)))
    return found.filter((isFound) => isFound).length
  })
