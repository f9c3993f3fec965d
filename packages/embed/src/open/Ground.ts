/** What an opened Verbatim runs on: services over their adapters, and the work beside them. */
import { JobNews, MediaIdentity, type News, Services } from "@verbatim/core/services"
import type { Concurrency as Counts } from "@verbatim/core/worker"
import { Layer } from "effect"
import { worker } from "../effect/Work.ts"
import type { Concurrency, Options, Role } from "../Options.ts"
import { platform } from "../Platform.ts"
import * as Foundation from "./Foundation.ts"
import * as HostLog from "./HostLog.ts"

/** What a process does, unless it says. */
const usualRoles: ReadonlyArray<Role> = ["http", "worker"]

/** Whether a process does the work of jobs. */
export const isWorking = (options: Options): boolean => {
  const roles: ReadonlyArray<Role> = options.roles ?? usualRoles
  return roles.includes("worker")
}

const countsOf = (wanted: Concurrency): Partial<Counts> => ({
  ...(wanted.download === undefined ? {} : { Fetch: wanted.download }),
  ...(wanted.webhook === undefined ? {} : { Deliver: wanted.webhook }),
  ...(wanted.transcribe === undefined ? {} : { Transcribe: wanted.transcribe }),
  ...(wanted.summarize === undefined ? {} : { Summarize: wanted.summarize })
})

/** Services, and work where there is any. */
export const ground = (options: Options, tell: (news: News) => void) => {
  const { concurrency = {}, logger } = options
  const foundation = MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Foundation.stores(options),
        Foundation.media(options),
        Foundation.outbound(options),
        platform,
        Foundation.settingsOf(options),
        HostLog.layer(logger),
        Layer.succeed(JobNews, tell)
      )
    )
  )
  const working = isWorking(options)
    ? Layer.provideMerge(
        worker({ concurrency: countsOf(concurrency) }),
        Foundation.engines(options)
      )
    : Layer.empty
  return Layer.merge(Services.layer, working).pipe(Layer.provideMerge(foundation))
}

/** Everything that stands on it has. */
export type Ground = Layer.Success<ReturnType<typeof ground>>
