/** What an opened Verbatim runs on: services over their adapters, and the worker. */
import { NoticeWanted } from "@verbatim/core/notice"
import { MediaIdentity, Services } from "@verbatim/core/services"
import type { Concurrency as Counts } from "@verbatim/core/worker"
import { Layer } from "effect"
import { worker } from "../effect/Work.ts"
import type { Concurrency, Options, Role } from "../Options.ts"
import { platform } from "../Platform.ts"
import * as Database from "./Database.ts"
import * as Foundation from "./Foundation.ts"
import * as HostListener from "./HostListener.ts"
import * as HostLog from "./HostLog.ts"

/** What a process does, unless it says. */
const usualRoles: ReadonlyArray<Role> = ["http", "worker"]

/** Whether a process does the work of jobs. */
const isWorking = (options: Options): boolean => {
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
export const ground = (options: Options) => {
  const { concurrency = {}, logger, onFinished } = options
  // Below all else: adapters log as well, and migrations before anybody else.
  const settings = Layer.mergeAll(
    Foundation.settingsOf(options),
    HostLog.layer(logger),
    Layer.succeed(NoticeWanted, onFinished !== undefined)
  )
  const foundation = MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Database.stores(options),
        Foundation.media(options),
        Foundation.outbound(options),
        platform
      )
    ),
    Layer.provideMerge(settings)
  )
  const services = Layer.provideMerge(Services.layer, foundation)
  if (!isWorking(options)) return services
  return worker({ concurrency: countsOf(concurrency) }).pipe(
    Layer.provideMerge(
      Layer.merge(
        Foundation.engines(options),
        onFinished === undefined ? Layer.empty : HostListener.layer(onFinished)
      )
    ),
    Layer.provideMerge(services)
  )
}

/** Everything that stands on it has. */
export type Ground = Layer.Success<ReturnType<typeof ground>>
