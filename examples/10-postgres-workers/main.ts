/**
 * Runs two HTTP and three worker processes on one Postgres database. Submits four recordings, and
 * kills a worker during a transcription. Each of the four webhooks still arrives once.
 */
import { openAsBlob } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { Deployment, startReceiver } from "./Deployment.ts"

const audio = new URL("../audio/harbour-opening.mp3", import.meta.url)

const jobCount = 4

/**
 * The killed worker's lease expires after 30 s. The rest of the time limit allows for speech
 * recognition on a busy machine.
 */
const patienceMillis = 140_000

interface Client {
  readonly addresses: ReadonlyArray<string>
  readonly key: string
}

interface Job {
  readonly id: string
  readonly transcription_status: string
  readonly webhook_status: string
}

interface History {
  readonly events: ReadonlyArray<{ readonly about: string; readonly event: string }>
}

const title = (text: string) => console.log(`\n── ${text} ${"─".repeat(72 - text.length)}`)

/** Sends requests to the HTTP processes in turn, because every process can handle any request. */
const makeSendRequest = ({ addresses, key }: Client) => {
  let requestCount = 0
  return async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const address = addresses[requestCount++ % addresses.length]
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${address}${path}`, { ...init, headers })
    const body = await response.text()
    if (!response.ok) throw new Error(`${response.status} from ${path}: ${body}`)
    return JSON.parse(body)
  }
}

type SendRequest = ReturnType<typeof makeSendRequest>

const handIn = async (sendRequest: SendRequest, callbackUrl: string) => {
  const form = new FormData()
  form.set("callback_url", callbackUrl)
  form.set("file", await openAsBlob(audio), "harbour-opening.mp3")
  return sendRequest<Job>("/v1/transcribe", { method: "POST", body: form })
}

/** Polls all jobs until they satisfy a condition. */
const until = async (
  look: () => Promise<ReadonlyArray<Job>>,
  is: (jobs: ReadonlyArray<Job>) => boolean
) => {
  const deadline = performance.now() + patienceMillis
  while (performance.now() < deadline) {
    if (is(await look())) return
    await sleep(500)
  }
  throw new Error("it took too long")
}

const start = async (deployment: Deployment) => {
  // All processes start at the same time. One process creates the tables, and the others wait.
  const starting = Promise.all([deployment.http("http 1"), deployment.http("http 2")])
  const working = [1, 2, 3].map((number) => {
    const name = `worker ${number}`
    return deployment.worker(name, (message, job) => console.log(`${name}  ${message}: ${job}`))
  })
  const [addresses, workers] = await Promise.all([starting, Promise.all(working)])
  for (const [index, address] of addresses.entries()) console.log(`http ${index + 1}    ${address}`)
  for (const { child, name } of workers) console.log(`${name}  process ${child.pid}`)
  const key = await deployment.command("keys", "create", "--kind", "inference")
  return { sendRequest: makeSendRequest({ addresses, key }), workers }
}

const demonstrate = async (
  deployment: Deployment,
  receiver: Awaited<ReturnType<typeof startReceiver>>
) => {
  title("Two HTTP and three worker processes over one Postgres")
  const { sendRequest, workers } = await start(deployment)

  title(`${jobCount} recordings, submitted to both HTTP processes`)
  const jobs: Array<Job> = []
  for (let count = 0; count < jobCount; count++) jobs.push(await handIn(sendRequest, receiver.url))
  const look = () => Promise.all(jobs.map(({ id }) => sendRequest<Job>(`/v1/status/${id}`)))
  const isRunning = ({ transcription_status }: Job) => transcription_status === "IN_PROGRESS"
  await until(look, (all) => all.filter(isRunning).length === workers.length)
  const [, victim] = workers
  victim?.child.kill("SIGKILL")
  console.log(`${victim?.name}  is killed while it transcribes a recording`)
  console.log(await deployment.command("workers"))

  title("The other two continue, and take over after 30 seconds")
  await until(look, (all) => all.every(({ webhook_status }) => webhook_status !== "PENDING"))
  console.log(await deployment.command("workers"))

  title("Result")
  const statuses = await look()
  const histories = await Promise.all(
    jobs.map(({ id }) => sendRequest<History>(`/v1/transcriptions/${id}/history`))
  )
  const attempts = histories.map(
    ({ events }) =>
      events.filter(({ about, event }) => about === "transcription" && event === "attempt_started")
        .length
  )
  const delivered = statuses.filter(({ webhook_status }) => webhook_status === "DELIVERED").length
  console.log(`${delivered} of ${jobCount} delivered; webhooks received: ${receiver.jobIds.length}`)
  console.log(`attempts at each recording: ${attempts.join(", ")}`)
  if (delivered < jobCount) throw new Error("a job was lost")
}

const receiver = await startReceiver()
const deployment = await Deployment.open()
process.once("SIGINT", () => deployment.stop().finally(() => process.exit(130)))
try {
  await demonstrate(deployment, receiver)
} catch (cause) {
  console.error(`\nThe example failed: ${cause instanceof Error ? cause.message : cause}`)
  process.exitCode = 1
} finally {
  await deployment.stop()
  receiver.stop()
}
