/**
 * Processes that die: their calls no longer reach a port, and no finalizer runs. The next process
 * starts while the dead one's leases are still valid.
 */

import { Effect, Layer, Scope } from "effect"
import { JobStore } from "#src/ports/JobStore"
import { MediaStore } from "#src/ports/MediaStore"
import { WebhookSender } from "#src/ports/WebhookSender"
import { WorkQueue } from "#src/ports/WorkQueue"
import { worker } from "./world.ts"

/** A service that responds only while a process is alive. */
const heardWhile = <Service extends object>(service: Service, isAlive: () => boolean): Service => {
  const unlessDead = Effect.suspend(() => (isAlive() ? Effect.void : Effect.never))
  const heard = (answer: unknown): unknown =>
    Effect.isEffect(answer)
      ? Effect.andThen(
          unlessDead,
          Effect.tap(answer, () => unlessDead)
        )
      : answer
  return new Proxy(service, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== "function" || Effect.isEffect(member)) return heard(member)
      return (...given: ReadonlyArray<unknown>) => heard(Reflect.apply(member, target, given))
    }
  })
}

/** Starts and kills processes, one at a time. */
export const supervisor = Effect.gen(function* () {
  const outside = yield* Effect.context<Layer.Services<typeof worker>>()
  const jobs = yield* JobStore
  const media = yield* MediaStore
  const queue = yield* WorkQueue
  const sender = yield* WebhookSender
  let living = 0
  let deaths = 0

  const start = Effect.gen(function* () {
    const own = living
    const isAlive = () => living === own
    const ports = Layer.mergeAll(
      Layer.succeed(JobStore, heardWhile(jobs, isAlive)),
      Layer.succeed(MediaStore, heardWhile(media, isAlive)),
      Layer.succeed(WorkQueue, heardWhile(queue, isAlive)),
      Layer.succeed(WebhookSender, heardWhile(sender, isAlive))
    )
    const process = Layer.fresh(worker.pipe(Layer.provide(ports)))
    yield* Layer.buildWithScope(process, yield* Scope.make())
  }).pipe(Effect.provideContext(outside))

  /** Kills the process, which can no longer reach its ports, and starts another one. */
  const kill = Effect.suspend(() => {
    living += 1
    deaths += 1
    return Effect.andThen(Effect.forkDetach(start), Effect.never)
  })

  return { start, kill, deaths: () => deaths }
})
