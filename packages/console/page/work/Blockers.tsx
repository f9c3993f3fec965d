/** Shows what keeps jobs waiting: paused tasks, outages, and missing workers. */
import type { components } from "@verbatim/client"
import { fetchApi, operatorApi } from "../Api.ts"
import type { Blocker } from "../job/StatusReason.ts"
import { isOperator, pageHeader } from "../session/Session.ts"
import { Icon } from "../ui/Button.tsx"
import { useLoaded } from "../ui/Loaded.tsx"

type Schemas = components["schemas"]
export type Work = Schemas["WorkAnswer"]["data"]

const words: Readonly<Record<string, string>> = {
  Fetch: "Fetch a recording",
  Transcribe: "Transcribe",
  Summarize: "Summarize",
  Deliver: "Deliver a webhook",
  Notify: "Notify the host",
  Isolate: "Isolated after a crash"
}

/** A kind from a later release is shown under its own name. */
export const kindWords = (kind: string): string => words[kind] ?? kind

const alike = (one: { readonly name: string }) => (other: { readonly name: string }) =>
  one.name === other.name

interface Surveyed extends Pick<Work, "paused"> {
  readonly workers: ReadonlyArray<Pick<Work["workers"][number], "alive" | "outages">>
}

export const blockersIn = ({ paused, workers }: Surveyed): ReadonlyArray<Blocker> => {
  const blockers: Array<Blocker> = []
  if (paused.length > 0) {
    const names = paused.map((task) => kindWords(task).toLowerCase()).join(", ")
    blockers.push({ tasks: paused, sentence: `Paused by an operator: ${names}.` })
  }
  const alive = workers.filter((worker) => worker.alive)
  if (alive.length === 0) {
    blockers.push({ tasks: Object.keys(words), sentence: "No worker is running." })
  }
  const outages = alive.flatMap((worker) => worker.outages)
  for (const [index, outage] of outages.entries()) {
    const same = outages.filter(alike(outage))
    if (outages.findIndex(alike(outage)) !== index) continue
    const who = same.length < alive.length ? "Some workers" : "Workers"
    const cause = same.find((each) => each.cause !== undefined)?.cause
    const why = cause === undefined ? "" : ` (${cause.replace(/\.$/, "")})`
    blockers.push({
      tasks: outage.tasks,
      sentence: `${who} cannot use the ${outage.name}${why}. Jobs that need it wait.`
    })
  }
  return blockers
}

export const fetchHealth = async (
  key: "operator" | "workspace",
  signal: AbortSignal
): Promise<Schemas["Health"]> => {
  // With a management or an operator key, the report includes the engine's messages.
  const response = await fetchApi("/health/ready", { headers: { [pageHeader]: key }, signal })
  if (response.ok || response.status === 503) return response.json()
  throw new Error(`The server answered with ${response.status}.`)
}

/** Without an operator key, only the worker of the process that responds is known. */
const readBlockers = async (signal: AbortSignal): Promise<ReadonlyArray<Blocker>> => {
  if (isOperator.peek()) return blockersIn(await operatorApi.work.survey({ signal }))
  const { worker } = await fetchHealth("workspace", signal)
  if (worker === null) return []
  return blockersIn({ paused: [], workers: [{ alive: true, outages: worker.outages }] })
}

const pollMillis = 60_000

export const useBlockers = (isWanted: boolean): ReadonlyArray<Blocker> => {
  const read = isWanted ? readBlockers : async () => []
  const key = `${isWanted} ${isOperator.value}`
  return useLoaded(key, read, { everyMillis: pollMillis }).state.value.value ?? []
}

export const BlockerNotes = ({ blockers }: { readonly blockers: ReadonlyArray<Blocker> }) => (
  <div class="blockers" role="status">
    {blockers.map(({ sentence }) => (
      <p class="note bar" key={sentence}>
        <Icon name="alert" />
        {sentence}
      </p>
    ))}
  </div>
)
