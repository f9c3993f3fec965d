/** A thread that packs one package after another and says what is wrong with each. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { pack, root, type Tarball } from "./Packing.ts"
import { findingsIn } from "./Shipping.ts"

/** What is wrong with one package. */
export interface Judgement {
  readonly folder: string
  readonly findings: ReadonlyArray<string>
}

/** Programs that need these are older than our lowest Node, or not modules of JavaScript. */
const notOurs: ReadonlyArray<string> = ["node10", "node16-cjs"]

const typesIn = async (bytes: Buffer): Promise<ReadonlyArray<string>> => {
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  if (!analysis.types) return ["types: there are none"]
  return analysis.problems
    .filter((problem) => !("resolutionKind" in problem && notOurs.includes(problem.resolutionKind)))
    .map((problem) => {
      const where = "entrypoint" in problem ? ` at ${problem.entrypoint}` : ""
      return `types: ${problem.kind}${where}`
    })
}

const manifestIn = async ({ manifest }: Tarball, bytes: Buffer) => {
  const tarball = new Uint8Array(bytes).buffer
  const { messages } = await publint({ strict: true, pack: { tarball } })
  return messages.map(
    (message) => `publint: ${formatMessage(message, { ...manifest }, { color: false })}`
  )
}

const judge = async (folder: string, destination: string): Promise<Judgement> => {
  const tarball = await pack(folder, destination)
  const bytes = readFileSync(tarball.path)
  const read = (name: string) => readFileSync(join(root, "packages", folder, name), "utf8")
  const own = tarball.files.filter((path) => path === "README.md" || path === "LICENSE")
  const shipment = {
    ...tarball,
    readme: own.includes("README.md") ? read("README.md") : "",
    licence: own.includes("LICENSE") ? read("LICENSE") : "",
    projectLicence: readFileSync(join(root, "LICENSE"), "utf8")
  }
  const findings = [
    ...findingsIn(shipment),
    ...(await manifestIn(tarball, bytes)),
    ...(await typesIn(bytes))
  ]
  return { folder, findings }
}

parentPort?.on("message", async (folder: string) => {
  parentPort?.postMessage(await judge(folder, workerData))
})
