/** File systems of one process, where this machine lets us have them: Linux with namespaces. */
import { spawnSync } from "node:child_process"

/** Runs the command that follows with a file system of that size in a folder. */
export const withFileSystem = (folder: string, megabytes: number): ReadonlyArray<string> => [
  ...["unshare", "--map-root-user", "--mount", "sh", "-c"],
  `mount -t tmpfs -o size=${megabytes}m none "$0" && exec "$@"`,
  folder
]

const [program = "", ...args] = withFileSystem("/mnt", 1)

/** Whether that is so here. */
export const isMountable: boolean = spawnSync(program, [...args, "true"]).status === 0
