/** Programs of ours in a process of their own: how Node is told to run one. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The programs, by a name. */
export const programs = {
  verbatim: fileURLToPath(new URL("../src/main.ts", import.meta.url)),
  member: fileURLToPath(new URL("faults/Member.ts", import.meta.url))
} as const

/** Names the directory with a bundle of each. Without it the sources run. */
export const bundlesVariable = "TEST_BUNDLES"

const bundles = process.env[bundlesVariable] ?? ""

/** The arguments of Node for a program. */
export const programArguments = (name: keyof typeof programs): ReadonlyArray<string> =>
  bundles === "" ? ["--conditions=@verbatim/source", programs[name]] : [join(bundles, `${name}.js`)]

/** The environment of this process; whatever Node compiles of a bundle is removed with it. */
export const programEnvironment: NodeJS.ProcessEnv =
  bundles === "" ? process.env : { ...process.env, NODE_COMPILE_CACHE: join(bundles, "compiled") }
