/** Builds Node's arguments for running our programs in separate processes. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The paths of the programs, keyed by name. */
export const programs = {
  verbatim: fileURLToPath(new URL("../src/main.ts", import.meta.url)),
  member: fileURLToPath(new URL("faults/Member.ts", import.meta.url))
} as const

const names = { verbatim: "dist/main.js", member: "dist/member.js" } as const

/**
 * The variable with the address at which tests request program bundles. If it is unset, the
 * programs run from their sources.
 */
export const bundlesVariable = "TEST_BUNDLES"

const findBundles = async (address: string): Promise<string> => {
  const response = await fetch(address)
  const text = await response.text()
  return response.ok ? text : Promise.reject(new Error(`the programs cannot be bundled: ${text}`))
}

const address = process.env[bundlesVariable] ?? ""
const bundles = address === "" ? "" : await findBundles(address)

/** Returns Node's arguments for a process that runs the next version. */
export const newerMember = async (): Promise<ReadonlyArray<string>> => [
  join(await findBundles(`${address}/newer`), "dist/member.js")
]

/** Returns Node's arguments for a program. */
export const programArguments = (name: keyof typeof programs): ReadonlyArray<string> =>
  bundles === "" ? ["--conditions=@verbatim/source", programs[name]] : [join(bundles, names[name])]

/** Removes variables that the tests or the machine use for other purposes. */
const { DATABASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL, PORT, ...inherited } = process.env

/**
 * The environment for programs. The compile cache is in the folder of the bundles, so both are
 * removed together.
 */
export const programEnvironment: NodeJS.ProcessEnv =
  bundles === "" ? inherited : { ...inherited, NODE_COMPILE_CACHE: join(bundles, "compiled") }
