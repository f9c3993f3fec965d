/**
 * The three steps of a job on graphile-worker. Each step is a single statement that also adds the
 * next task.
 */
import { Logger, run, runMigrations, type Task } from "graphile-worker"
import { Pool } from "pg"
import { concurrency, type Place, serve, sessions } from "../serve.ts"
import { deliver, jobRow, transcribing, transcript } from "./Tables.ts"

const quiet = new Logger(() => (level, message) => {
  if (level === "error" || level === "warning") console.error(message)
})

const accepting = `
  WITH job AS (INSERT INTO jobs (workspace_id, callback_url, callback_id) VALUES ($1, $2, $3)
    RETURNING id)
  SELECT graphile_worker.add_job('transcribe', json_build_object('id', id)) FROM job`

const handingOn = `
  WITH ${transcribing}
  SELECT graphile_worker.add_job('deliver', json_build_object('id', id)) FROM step`

const poolFor = ({ databaseUrl }: Place) => {
  const pool = new Pool({ connectionString: databaseUrl, max: sessions })
  const report = (error: Error) => console.error(error)
  return pool.on("error", report).on("connect", (client) => client.on("error", report))
}

const idIn = (payload: unknown): string => (payload as { readonly id: string }).id

await serve({
  work: async (place) => {
    const pool = poolFor(place)
    const transcribe: Task = async (payload) => {
      await pool.query({ name: "step", text: handingOn, values: [idIn(payload), transcript] })
    }
    await run({
      pgPool: pool,
      taskList: { transcribe, deliver: (payload) => deliver(pool, idIn(payload)) },
      logger: quiet,
      noHandleSignals: true,
      preset: {
        worker: {
          concurrentJobs: 2 * concurrency,
          // Tasks are fetched and completed in batches, as the manual advises for many short tasks.
          localQueue: { size: 2 * concurrency + 1 },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0
        }
      }
    })
  },
  accept: async (place) => {
    const pool = poolFor(place)
    await runMigrations({ pgPool: pool, logger: quiet })
    return async (number) => {
      await pool.query({ name: "accept", text: accepting, values: [...jobRow(place, number)] })
    }
  }
})
