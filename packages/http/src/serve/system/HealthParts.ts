/** What every process can tell of itself: of store and media, and of what works on jobs in it. */
import { Transcriber, WorkspaceStore } from "@verbatim/core/ports"
import { MediaIdentity } from "@verbatim/core/services"
import { Worker } from "@verbatim/core/worker"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Fiber, Option } from "effect"

/** A store that takes longer to answer counts as down. */
const storeTimeout = Duration.seconds(2)

/** A workspace that does not exist: the cheapest question that reaches the tables. */
const nobody = WorkspaceId.make("00000000-0000-0000-0000-000000000000")

/**
 * Whether a question to a store is answered in time. After that it is abandoned: cancelling it at a
 * server that went silent takes seconds.
 */
export const isAnswered = <A, E>(question: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.forkDetach(Effect.timeout(question, storeTimeout)).pipe(
    Effect.flatMap((asked) => Effect.timeoutOption(Fiber.await(asked), storeTimeout)),
    Effect.map((exit) => Option.isSome(exit) && exit.value._tag === "Success")
  )

const ask = <A, B>(part: Option.Option<A>, question: (part: A) => Effect.Effect<B>) =>
  Option.match(part, {
    onNone: () => Effect.succeedNone,
    onSome: (present) => Effect.asSome(question(present))
  })

/** The questions about the parts of a process: those of a `HealthReport` that it must answer. */
export const makeHealthParts = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const identity = yield* MediaIdentity
  const transcriber = yield* Effect.serviceOption(Transcriber)
  const worker = yield* Effect.serviceOption(Worker)
  return {
    isStoreUp: isAnswered(store.account(nobody)),
    media: identity.verify,
    readiness: ask(transcriber, ({ readiness }) => readiness),
    activity: ask(worker, ({ activity }) => activity)
  }
})
