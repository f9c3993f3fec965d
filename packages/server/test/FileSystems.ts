/** Gives a process a file system that only it can see. This needs Linux with namespaces. */
import { spawnSync } from "node:child_process"

/**
 * Builds the beginning of a command that runs with a file system of this size, mounted on a folder.
 */
export const withFileSystem = (folder: string, megabytes: number): ReadonlyArray<string> => [
  ...["unshare", "--map-root-user", "--mount", "sh", "-c"],
  `mount -t tmpfs -o size=${megabytes}m none "$0" && exec "$@"`,
  folder
]

const [program = "", ...args] = withFileSystem("/mnt", 1)

/** Whether this machine allows such file systems. */
export const isMountable: boolean = spawnSync(program, [...args, "true"]).status === 0
