/** What a host hears that listens: the events of one job, or of all jobs of a workspace. */
import type { Told } from "@verbatim/core/job"
import type { JobStoreError } from "@verbatim/core/ports"
import { Followings } from "@verbatim/core/services"
import { Effect, Option, type Scope, Stream } from "effect"
import { InvalidInput } from "../Errors.ts"
import { type LiveEvent, toLiveEvents } from "../view/LiveEvent.ts"
import { makeAbout } from "./AboutJob.ts"
import { type Call, judgeAll } from "./Arguments.ts"
import { eventCalls } from "./Calls.ts"
import type { Ground } from "./Ground.ts"
import type { Run } from "./Host.ts"
import type { JobReference } from "./JobReference.ts"
import { toIterable } from "./Listening.ts"
import type { Asker, Owners } from "./Workspaces.ts"

/** How a host listens. */
export interface ListenOptions {
  /** The `place` of the last event that was heard. */
  readonly after?: string
  /** Ends the listening: the next event is rejected with its reason. */
  readonly signal?: AbortSignal
}

/** Whose jobs a host listens to. */
export interface EventsWanted extends Asker, ListenOptions {}

/** What ends when the loop over it is left. */
export type LiveEvents = AsyncIterableIterator<LiveEvent, undefined>

/** Listens to jobs. Nothing begins, and nothing is refused, before the first event is wanted. */
export interface EventMethods {
  /** Everything that happened to a job from its beginning, then what happens, until its end. */
  readonly events: (job: JobReference, options?: ListenOptions) => LiveEvents
  /** What happens to all jobs of a workspace from now on, without an end. */
  readonly allEvents: (wanted?: EventsWanted) => LiveEvents
}

type Following = Effect.Effect<
  Option.Option<Stream.Stream<Told, JobStoreError>>,
  unknown,
  Ground | Scope.Scope
>

const notPlace = () =>
  new InvalidInput({
    code: "PlaceUnknown",
    message: "after: must be the place of an event that was told here"
  })

/** How a host listens, once what it gave was judged. */
interface Listening {
  readonly call: Call
  readonly given: ReadonlyArray<unknown>
  readonly follow: () => Following
  readonly signalOf: () => AbortSignal | undefined
}

/** Makes the methods. */
export const makeEvents = ({
  owners,
  run
}: {
  readonly owners: Owners
  readonly run: Run
}): EventMethods => {
  const about = makeAbout(owners, Followings)
  const listen = ({ call, follow, given, signalOf }: Listening): LiveEvents =>
    toIterable<LiveEvent>(async (tell, leaving) => {
      judgeAll(call, given)
      const signal = signalOf()
      const told = Effect.flatMap(
        Effect.catchIf(
          Effect.suspend(follow),
          (error) => Object(error)._tag === "PlaceUnknown",
          () => Effect.fail(notPlace())
        ),
        Option.match({
          onNone: () => Effect.void,
          onSome: Stream.runForEach((each) =>
            Effect.forEach(toLiveEvents(each), (event) => Effect.promise(() => tell(event)))
          )
        })
      )
      const until = signal === undefined ? leaving : AbortSignal.any([signal, leaving])
      await run(Effect.asVoid(Effect.scoped(told)), until)
    })
  return {
    events: (job, options = {}) =>
      listen({
        call: eventCalls.events,
        given: [job, options],
        signalOf: () => options.signal,
        follow: () =>
          about(job, (followings, principal) =>
            followings.followJob(principal, { id: job.id, after: options.after })
          )
      }),
    allEvents: (wanted = {}) =>
      listen({
        call: eventCalls.allEvents,
        given: [wanted],
        signalOf: () => wanted.signal,
        follow: Effect.fnUntraced(function* () {
          const { principal } = yield* owners.find(wanted)
          const followings = yield* Followings
          return Option.some(yield* followings.followAll(principal, wanted.after))
        })
      })
  }
}
