/**
 * The three steps of a job on pg-boss. Batches are fetched without a pause while there is more
 * work, NOTIFY starts the next fetch, and each job in a batch is completed separately.
 */
import { Pool, type PoolClient } from "pg"
import { type Job, type JobResult, PgBoss } from "pg-boss"
import { concurrency, type Place, serve, sessions } from "../serve.ts"
import { deliver, jobRow, transcribing, transcript } from "./Tables.ts"

interface JobTask {
  readonly id: string
}

const queue = { notify: true, expireInSeconds: 60, retryLimit: 3 }

/** Each step has two loops, so that one loop fetches jobs while the other works. */
const loops = 2

const options = {
  batchSize: concurrency / loops,
  localConcurrency: loops,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
  perJobResults: true
} as const

const start = async ({ databaseUrl, role }: Place) => {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: sessions / 2,
    useListenNotify: role === "work",
    migrate: role === "accept"
  })
  boss.on("error", (error) => console.error(error))
  await boss.start()
  for (const name of role === "accept" ? ["transcribe", "deliver"] : []) {
    await boss.createQueue(name, queue)
  }
  const pool = new Pool({ connectionString: databaseUrl, max: sessions / 2 })
  /** Runs a transaction that can also add jobs to a queue. */
  const together = async <A>(
    use: (client: PoolClient, send: (name: string, task: JobTask) => Promise<void>) => Promise<A>
  ) => {
    const client = await pool.connect()
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    const send = async (name: string, task: JobTask) => {
      await boss.send(name, task, { db })
    }
    try {
      await client.query("BEGIN")
      await use(client, send)
      await client.query("COMMIT")
      client.release()
    } catch (cause) {
      client.release(true)
      throw cause
    }
  }
  return { boss, pool, together }
}

const each =
  (step: (id: string) => Promise<void>) =>
  (jobs: ReadonlyArray<Job<JobTask>>): Promise<Array<JobResult>> =>
    Promise.all(
      jobs.map(({ data, id }) =>
        step(data.id).then(
          () => ({ id, status: "completed" as const }),
          (cause: Error) => ({ id, status: "failed" as const, output: { message: cause.message } })
        )
      )
    )

await serve({
  work: async (place) => {
    const { boss, pool, together } = await start(place)
    const transcribe = (job: string) =>
      together(async (client, send) => {
        const text = `WITH ${transcribing} SELECT id FROM step`
        const { rowCount } = await client.query({ name: "step", text, values: [job, transcript] })
        if (rowCount === 1) await send("deliver", { id: job })
      })
    await boss.work<JobTask, unknown, typeof options>("transcribe", options, each(transcribe))
    await boss.work<JobTask, unknown, typeof options>(
      "deliver",
      options,
      each((job) => deliver(pool, job))
    )
  },
  accept: async (place) => {
    const { together } = await start(place)
    return (number) =>
      together(async (client, send) => {
        const { rows } = await client.query<JobTask>({
          name: "accept",
          text: `INSERT INTO jobs (workspace_id, callback_url, callback_id) VALUES ($1, $2, $3)
            RETURNING id`,
          values: [...jobRow(place, number)]
        })
        for (const { id } of rows) await send("transcribe", { id })
      })
  }
})
