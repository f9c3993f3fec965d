/** Opens Verbatim inside a host: everything behind promises. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { MediaIdentity } from "@verbatim/core/services"
import { Effect, ManagedRuntime } from "effect"
import type { Options } from "../Options.ts"
import type { Job } from "../view/Job.ts"
import { makeApi } from "./Api.ts"
import { ground, isWorking } from "./Ground.ts"
import { makeHost } from "./Host.ts"
import {
  type HostConnection,
  type HostDatabase,
  type HostSqlTransaction,
  type Inside,
  runWithin
} from "./Inside.ts"
import type { JobReference } from "./JobReference.ts"
import { type Jobs, makeJobs, type Result, type WaitOptions } from "./Jobs.ts"
import { judge, judgeNode } from "./Judgement.ts"
import { makeNewsDesk } from "./NewsDesk.ts"
import { makePresets, type Presets } from "./Presets.ts"
import type { Transcribe } from "./Transcribe.ts"
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
  /**
   * The same over a connection that is in a transaction of the host: committed with it, or rolled
   * back. Wait for each call before the connection is used again.
   */
  readonly within: (connection: HostConnection | HostDatabase | HostSqlTransaction) => Inside
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
  judgeNode(process.versions)
  judge(options)
  const desk = makeNewsDesk()
  const runtime = ManagedRuntime.make(ground(options, desk.tell))
  const host = makeHost(runtime)
  const { isClosing, run } = host
  const begin = makeOwners(options.openingMinutes ?? usualMinutes).pipe(
    // The first one to store media writes down whose it is: not within a transaction of the host.
    Effect.tap(() => Effect.flatMap(MediaIdentity, ({ verify }) => verify))
  )
  const owners = await run(begin).catch(async (fault: unknown) => {
    await host.close()
    throw fault
  })
  const wait = makeWait(desk, isWorking(options) ? nearInterval : farInterval)
  const { jobs, transcribe, wait: waitFor } = makeJobs({ owners, run, wait })
  const within = (connection: object): Inside => {
    const inside = runWithin(run, connection)
    const { jobs, transcribe } = makeJobs({ owners, run: inside, wait })
    return { transcribe, jobs, presets: makePresets({ owners, run: inside }) }
  }
  const { fetch, handler } = makeApi({ options, owners, runtime, isClosing })
  return {
    transcribe,
    wait: waitFor,
    jobs,
    presets: makePresets({ owners, run }),
    workspaces: makeWorkspaces({ owners, run }),
    within,
    fetch,
    handler,
    close: host.close,
    [Symbol.asyncDispose]: host.close
  }
}
