/**
 * Runs a scenario: creates a workspace, starts processes and clients, lets faults strike and end,
 * waits until every job has ended, and reads the final state.
 */

import { MediaRetention } from "@verbatim/core/job"
import { NoticesEnabled } from "@verbatim/core/notice"
import { JobStore, type Stores } from "@verbatim/core/ports"
import { ApiKeys, PieceSettings, Workspaces } from "@verbatim/core/services"
import { type ApiKeyId, DefaultRetention, type WorkspaceId } from "@verbatim/core/workspace"
import { Context, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Files, type Hosted } from "../ports/Media.ts"
import type { Policies } from "../processes/Composition.ts"
import * as Fleet from "../processes/Fleet.ts"
import { type JobObserver, logStores } from "../record/StoreLog.ts"
import type { Answer } from "../workload/ClientCall.ts"
import * as ClientCall from "../workload/ClientCall.ts"
import { type Clients, type Key, mayBeDone } from "../workload/Clients.ts"
import { connect, follow, planFollower, readFollowed } from "../workload/FeedClients.ts"
import { look, serve } from "../workload/JobClients.ts"
import { planWriters, write } from "../workload/PresetClients.ts"
import * as Plan from "../world/Plan.ts"
import type { World } from "../world/World.ts"
import { awaitNotices, readBooks } from "./FinalState.ts"
import { runFollowingDays } from "./FollowingDays.ts"

/**
 * Maximum time between the end of the faults and the end of a job: a clock that is wrong by two
 * minutes, eight expiring leases (30 s each) of two jobs that kill four processes each, two engines
 * that hang for three minutes each, a delivery that starts again (90 s), and ordinary work.
 */
const endMillis = 1_050_000

/** How long a subscriber needs to receive the rest of the feed, at one read per second. */
const lastMillis = 10_000

/** Time between a subscriber's attempts to reach a process. A process starts within a minute. */
const pauseMillis = 1_000
const triesMax = 60

/** Creates the workspace before faults can strike. */
const foundWorkspaces = Effect.fnUntraced(function* ({ minutes }: Plan.Plan) {
  const workspaces = yield* Workspaces
  const kinds = ["management", "inference", "inference"] as const
  const orders = kinds.map((kind) => ({ kind, token: Option.none() }))
  const issued = yield* Effect.flatMap(
    workspaces.found({ keys: orders, minutes }),
    Effect.fromOption
  )
  const keys = issued.map(({ key, token }, index) => ({ name: `key-${index}`, id: key.id, token }))
  const [account] = yield* workspaces.accounts({ after: null, limit: 1 })
  const id = yield* Effect.fromNullishOr(account?.workspace.id)
  return { keys, id, ...(yield* foundNeighbour(minutes)) }
})

/** Creates the second workspace, with one key. */
const foundNeighbour = Effect.fnUntraced(function* (minutes: number) {
  const workspaces = yield* Workspaces
  const { id } = yield* workspaces.create({ name: "neighbour" })
  yield* workspaces.credit(id, { minutes })
  const keys = yield* ApiKeys
  const { token } = yield* keys.issue(id, { kind: "inference", token: Option.none() })
  return { neighbourId: id, neighboursKey: { name: "neighbour's key", token } }
})

/** Reads the job on behalf of a receiver, before the receiver responds. */
const calledBack = Effect.fnUntraced(function* (clients: Clients, marker: string) {
  const [id, key] = [clients.ids.get(marker), clients.keys[0]]
  if (id === undefined || key === undefined) return
  yield* look(clients, key, id)
})

/** Adds the plan's settings for retention, pieces and the host's listener, if it has one. */
const withPlan = ({ notices, pieces, retention }: Plan.Plan, policies: Policies): Policies => {
  const { isMediaKept: isKept, isServers, rule } = retention
  const retained = Layer.mergeAll(
    Layer.succeed(MediaRetention, { ...MediaRetention.defaultValue(), isKept }),
    isServers ? Layer.succeed(DefaultRetention, rule) : Layer.empty,
    policies.references ?? Layer.empty
  )
  const wanted = Layer.succeed(NoticesEnabled, notices.isWanted)
  const references = Layer.mergeAll(wanted, Layer.succeed(PieceSettings, pieces), retained)
  return { ...policies, references }
}

type Founded = Effect.Success<ReturnType<typeof foundWorkspaces>>

/** Creates the clients that write presets. */
const writers = (clients: Clients, key: Key | undefined) =>
  key === undefined
    ? []
    : planWriters(clients.world.dice("presets")).map((steps, index) =>
        write(clients, key, { name: String(index), steps })
      )

/** Creates all clients: those with recordings, the preset writers, and the operator. */
const crowd = (
  clients: Clients,
  { id, keys, neighboursKey, plan }: Founded & { readonly plan: Plan.Plan }
) => {
  const [writer, , revoked] = keys
  const neighbours = { ...clients, keys: [neighboursKey], ids: new Map(), requests: new Map() }
  return [
    ...plan.jobs.map((job) => serve(job.isNeighbours === true ? neighbours : clients, job)),
    ...writers(clients, writer),
    revoked === undefined ? Effect.void : revoke(clients, revoked),
    credit(clients, id)
  ]
}

/**
 * Lets a subscriber receive the rest of the feed, and reads which commits it should have received.
 */
const hearRest = Effect.fnUntraced(function* (
  clients: Clients,
  {
    follower,
    id,
    stores
  }: {
    readonly follower: ReturnType<typeof planFollower>
    readonly id: Founded["id"]
    readonly stores: Context.Context<Stores>
  }
) {
  if (follower === undefined) return
  // When the faults end, the only process may still be starting.
  yield* connect(clients, follower, { id, millis: lastMillis }).pipe(
    Effect.tap((isHeard) => (isHeard ? Effect.void : Effect.sleep(pauseMillis))),
    Effect.repeat({ until: (isHeard) => isHeard, times: triesMax })
  )
  yield* readFollowed(clients, follower, Context.get(stores, JobStore))
})

/** Writes the run's plan to the trace. */
const tracePlan = ({ faults, facts, trace }: World, { minutes, pieces, roles }: Plan.Plan) => {
  if (faults.active.length === 0) facts.push({ _tag: "Faultless" })
  const credited = { _tag: "Credited", millis: minutes * 60_000, isCertain: true } as const
  facts.push(credited, { ...credited, isNeighbours: true }, { _tag: "PieceRules", ...pieces })
  trace.add("world", `plan: ${roles.join(", ")}; faults: ${faults.active.join(", ")}`)
}

/** Ends all faults except listener faults, and restarts processes that are down. */
const endStorm = ({ facts, faults, timeline, trace }: World, fleet: Fleet.Fleet) => {
  faults.calm()
  faults.rage("listener")
  trace.add("world", "the storm is over")
  facts.push({ _tag: "StormEnded", at: timeline.now() })
  fleet.heal()
}

/** Returns the clients' knowledge before their first requests. */
const nothingKnown = (): Pick<
  Clients,
  "ids" | "recordings" | "removals" | "requests" | "shown"
> => ({
  ids: new Map(),
  requests: new Map(),
  recordings: new Map(),
  removals: new Set(),
  shown: new Map()
})

/** Runs the whole scenario, and returns the milliseconds until the last job ended. */
export const runScenario = Effect.fnUntraced(function* (
  world: World,
  {
    adapters,
    policies
  }: { readonly adapters: Layer.Layer<Stores, unknown>; readonly policies: Policies }
) {
  const { timeline } = world
  const plan = Plan.make(world.dice("plan"))
  const observer: JobObserver = { onFound: () => undefined }
  const stores = logStores(world, { stores: yield* Layer.build(adapters), observer })
  const founded = yield* foundWorkspaces(plan).pipe(
    Effect.provide(Layer.merge(ApiKeys.layer, Workspaces.layer)),
    Effect.provideContext(stores)
  )
  const { id, keys, neighbourId } = founded
  const books = { stores, id, neighbourId }
  tracePlan(world, plan)
  const hosted: Hosted = new Map()
  let deadline = Number.POSITIVE_INFINITY
  let lastNumber = plan.jobs.length
  const clients: Clients = {
    world,
    call: ClientCall.make(world, () => fleet),
    hosted,
    keys,
    deadline: () => deadline,
    ...nothingKnown(),
    nextNumber: () => (lastNumber += 1)
  }
  const surroundings: Fleet.Surroundings = {
    stores,
    files: new Files(),
    hosted,
    policies: withPlan(plan, policies),
    onReceipt: (marker) => calledBack(clients, marker),
    isFirstListenerOnly: plan.notices.isFirstListenerOnly
  }
  const fleet = Fleet.make(world, plan.roles, surroundings)
  for (const slot of fleet.slots) fleet.start(slot)
  Fleet.startFaults(world, fleet)

  const scripts = crowd(clients, { ...founded, plan })
  const calm = Effect.sync(() => {
    deadline = timeline.now() + endMillis
    endStorm(world, fleet)
  }).pipe(Effect.delay(Duration.millis(plan.stormMillis)))
  const follower = planFollower(clients)
  const following = yield* Effect.forkChild(follow(clients, follower, id))
  yield* Effect.all([...scripts, calm], { concurrency: "unbounded", discard: true })
  yield* Fiber.interrupt(following)
  const { isWanted } = plan.notices
  yield* awaitNotices(world, { ...books, isWanted })
  const endedAt = timeline.now()
  yield* hearRest(clients, { follower, id, stores })
  yield* readBooks(world, books)
  fleet.retire()
  yield* runFollowingDays(world, { ...plan, ...books, clients, surroundings, observer })
  return endedAt
})

// The operator, who revokes keys and adds credits. Each credit is retried until there is a
// response.

/** Revokes a key at a random time, in some runs. */
const revoke = Effect.fnUntraced(function* (
  { call, world }: Clients,
  key: Key & { readonly id: ApiKeyId }
) {
  const { facts, faults, timeline } = world
  yield* Effect.sleep(Duration.millis(world.dice("revocation").below(90_000)))
  if (!faults.strikes("key is revoked", "operator")) return
  const answer = yield* call(Effect.flatMap(ApiKeys, (keys) => keys.revoke(key.id)))
  if (answer === null || Exit.isFailure(answer)) return
  facts.push({ _tag: "Revoked", key: key.name, at: timeline.now() })
})

const creditMax = 3

/** Number of unanswered calls after which an operator stops trying. */
const tryMax = 4

const pauseMaxMillis = 5_000

/** Adds minutes to the workspace's balance and subtracts minutes from it, in some runs. */
const credit = Effect.fnUntraced(function* ({ call, world }: Clients, id: WorkspaceId) {
  const chance = world.dice("credits")
  for (let count = 0; count < creditMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(40_000)))
    if (!world.faults.strikes("balance changes", "operator")) continue
    const minutes = chance.between(-30, 30)
    // Retries the same credit until its outcome is known.
    const gift = { minutes, creditId: `credit ${count}` }
    const operation = Effect.flatMap(Workspaces, (each) => each.credit(id, gift))
    let answer: Answer<number, unknown> = yield* call(operation)
    for (let again = 0; again < tryMax && mayBeDone(answer); again++) {
      yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
      answer = yield* call(operation)
    }
    const isCertain = answer !== null && Exit.isSuccess(answer)
    world.facts.push({ _tag: "Credited", millis: minutes * 60_000, isCertain })
  }
})
