/** Opens Verbatim inside a host: everything behind promises. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { ManagedRuntime } from "effect"
import type { Options } from "../Options.ts"
import type { Job } from "../view/Job.ts"
import { makeApi } from "./Api.ts"
import { ground, isWorking } from "./Ground.ts"
import { makeHost } from "./Host.ts"
import {
  type JobReference,
  type Jobs,
  makeJobs,
  type Result,
  type Transcribe,
  type WaitOptions
} from "./Jobs.ts"
import { judge } from "./Judgement.ts"
import { makeNewsDesk } from "./NewsDesk.ts"
import { makePresets, type Presets } from "./Presets.ts"
import { farInterval, makeWait, nearInterval } from "./Waiting.ts"
import { makeWorkspaces, type WorkspaceMethods } from "./WorkspaceMethods.ts"
import { makeOwners } from "./Workspaces.ts"

/** An opened Verbatim. */
export interface Verbatim extends AsyncDisposable {
  /** Takes media in. Once it resolves, the job and its work outlive the process. */
  readonly transcribe: (wanted: Transcribe) => Promise<Job>
  /** Waits until transcript and summary are over, well or not. */
  readonly wait: (job: JobReference, options?: WaitOptions) => Promise<Result>
  readonly jobs: Jobs
  readonly presets: Presets
  readonly workspaces: WorkspaceMethods
  /** The API for hosts of `Request`: Hono, Next, SvelteKit, Bun, Deno. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The API for hosts of Node: `node:http`, Express, Connect, Fastify. */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (fault?: unknown) => void
  ) => void
  /** Ends the work here, and rejects what is pending. Jobs go on elsewhere, or later. */
  readonly close: () => Promise<void>
}

/** Ten million minutes are nineteen years of speech: a host that sells none need not count. */
const usualMinutes = 10_000_000

/**
 * Opens the stores, brings them to the current schema, and begins to work unless the roles say
 * otherwise. Rejects with `InvalidOptions`, or with what the database says.
 */
export const open = async (options: Options): Promise<Verbatim> => {
  judge(options)
  const desk = makeNewsDesk()
  const runtime = ManagedRuntime.make(ground(options, desk.tell))
  const host = makeHost(runtime)
  const { run, runPending } = host
  const owners = await run(makeOwners(options.openingMinutes ?? usualMinutes)).catch(
    async (fault: unknown) => {
      await host.close()
      throw fault
    }
  )
  const wait = makeWait(desk, isWorking(options) ? nearInterval : farInterval)
  const { jobs, transcribe, wait: waitFor } = makeJobs({ owners, run, runPending, wait })
  const { fetch, handler } = makeApi({ options, owners, runtime })
  return {
    transcribe,
    wait: waitFor,
    jobs,
    presets: makePresets({ owners, run }),
    workspaces: makeWorkspaces({ owners, run }),
    fetch,
    handler,
    close: host.close,
    [Symbol.asyncDispose]: host.close
  }
}
