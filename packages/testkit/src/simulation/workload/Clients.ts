/** State shared by the clients in a run, and calls with an API key. */

import { PresetStoreError, WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeys, Jobs } from "@verbatim/core/services"
import { type Principal, UserId, WorkspaceId } from "@verbatim/core/workspace"
import { Cause, Duration, Effect, Exit, Option, type Redacted } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { Hosted } from "../ports/Media.ts"
import type { Front } from "../processes/Composition.ts"
import type { PlannedJob } from "../world/Plan.ts"
import type { Recording } from "../world/Recording.ts"
import type { World } from "../world/World.ts"
import { type Answer, type ClientCall, usualTimeoutMillis } from "./ClientCall.ts"

/** An API key used by clients. */
export interface Key {
  readonly name: string
  readonly token: Redacted.Redacted
}

/** A request that can be sent more than once. */
export interface Request {
  readonly job: PlannedJob
  readonly parameters: Readonly<Record<string, string | null>>
  readonly bytes: Uint8Array
}

/** A recording and its file, which may be broken. */
export interface RecordedMedia {
  readonly recording: Recording
  readonly bytes: Uint8Array
}

/** State shared by a run's clients. */
export interface Clients {
  readonly world: World
  readonly call: ClientCall
  readonly hosted: Hosted
  readonly keys: ReadonlyArray<Key>
  /** Returns the time at which clients give up. */
  readonly deadline: () => number
  /** The ids of accepted jobs, keyed by the jobs' markers. */
  readonly ids: Map<string, string>
  /** The requests of accepted jobs, keyed by the jobs' ids. */
  readonly requests: Map<string, Request>
  /** The recordings, keyed by their markers. */
  readonly recordings: Map<string, RecordedMedia>
  /** Jobs that clients have tried to delete. */
  readonly removals: Set<string>
  /** The last state of each job seen by a client. */
  readonly shown: Map<string, string>
  readonly nextNumber: () => number
}

/** A caller from another workspace, who must not see anything of this one. */
export const stranger: Principal = {
  kind: "inference",
  workspaceId: WorkspaceId.make("00000000-0000-4000-8000-000000000000"),
  userId: UserId.make("user_00000000-0000-4000-8000-000000000000")
}

/** Returns the tag of the first error in a response, or "" for a success. */
export const refusalOf = <A, E>(answer: Answer<A, E>): string => {
  if (answer === null) return "no answer"
  if (Exit.isSuccess(answer)) return ""
  const error = Cause.findErrorOption(answer.cause)
  const tag = Option.map(error, (found) =>
    typeof found === "object" && found !== null && "_tag" in found ? String(found._tag) : "unknown"
  )
  return Option.getOrElse(tag, () => "interrupted")
}

/** Whether a write may have taken effect although its caller got an error or no response. */
export const mayBeDone = (answer: Answer<unknown, unknown>): boolean => {
  if (answer === null) return true
  if (Exit.isSuccess(answer)) return false
  const error = Option.getOrUndefined(Cause.findErrorOption(answer.cause))
  if (error instanceof PresetStoreError) return error.reason._tag === "Unavailable"
  return error === undefined || error instanceof WorkspaceStoreError
}

/**
 * Makes a call with an API key, and records whether the key was known. Returns the answer with its
 * value or refusal, and the times of the call.
 */
export const asBearer = Effect.fnUntraced(function* <A, E>(
  { call, world }: Clients,
  key: Key,
  operation: (principal: Principal) => Effect.Effect<A, E, Front>,
  timeoutMillis = usualTimeoutMillis
) {
  const beganAt = world.timeline.now()
  const whole = Effect.flatMap(ApiKeys, ({ authenticate }) => authenticate(key.token)).pipe(
    Effect.flatMap(operation)
  )
  const answer = yield* call(whole, timeoutMillis)
  const interval = { beganAt, endedAt: world.timeline.now() }
  const refusal = refusalOf(answer)
  if (!["no answer", "WorkspaceStoreError", "interrupted"].includes(refusal)) {
    const isKnown = refusal !== "ApiKeyUnknown"
    world.facts.push({ _tag: "Authenticated", key: key.name, isKnown, ...interval })
  }
  const value = answer !== null && Exit.isSuccess(answer) ? answer.value : undefined
  return { answer, value, refusal, interval }
})

/** Calls the service for jobs with an API key. */
export const askJobs = <A, E>(
  clients: Clients,
  key: Key,
  call: (jobs: Jobs["Service"], principal: Principal) => Effect.Effect<A, E>
) => asBearer(clients, key, (principal) => Effect.flatMap(Jobs, (jobs) => call(jobs, principal)))

/**
 * The latest time at which a client starts. By then, the processes have started, and most of the
 * run is still ahead.
 */
const beginMaxMillis = 30_000

/** Maximum pause between two of a client's steps. */
export const stepMaxMillis = 6_000

/** Maximum pause between two steps in a burst. */
const burstMaxMillis = 12

/** Waits until the named clients start. */
export const awaitBeginning = ({ dice }: World, together: string): Effect.Effect<void> =>
  Effect.sleep(Duration.millis(dice(together).between(1_000, beginMaxMillis)))

/** Waits between two steps. Some waits are short, so that clients collide. */
export const pause = (chance: Dice, burstChance: number): Effect.Effect<void> =>
  Effect.sleep(
    Duration.millis(chance.below(chance.chance(burstChance) ? burstMaxMillis : stepMaxMillis))
  )
