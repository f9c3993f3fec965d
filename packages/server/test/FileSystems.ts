/** File systems that only one process sees, on machines that allow this: Linux with namespaces. */
import { spawnSync } from "node:child_process"

/** Prefixes a command so that it runs with a file system of a given size mounted on a folder. */
export const withFileSystem = (folder: string, megabytes: number): ReadonlyArray<string> => [
  ...["unshare", "--map-root-user", "--mount", "sh", "-c"],
  `mount -t tmpfs -o size=${megabytes}m none "$0" && exec "$@"`,
  folder
]

const [program = "", ...args] = withFileSystem("/mnt", 1)

/** Whether this machine allows such file systems. */
export const isMountable: boolean = spawnSync(program, [...args, "true"]).status === 0
