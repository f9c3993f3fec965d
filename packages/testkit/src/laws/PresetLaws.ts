/**
 * Laws of `Presets` over any store, with concurrent writers. The results equal those that the model
 * gives for some sequential order.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { PresetChange } from "@verbatim/core/preset"
import type { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { atOnce, type Case, type Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { linearize } from "../model/Linear.ts"
import {
  describeAnswer,
  labels,
  makePresets,
  type PresetAnswer,
  readKept,
  refusalOf,
  sendCommand
} from "../model/PresetCommands.ts"
import { fullSight, type PresetOperation, presetModel } from "../model/PresetModel.ts"
import { upTo, userId, workspaceId } from "../samples/Ids.ts"
import { foundFirst } from "../samples/SampleWorkspace.ts"
import { scaleRuns } from "./Runs.ts"

type Store = PresetStore["Service"]

/** Stores over one database, such as several connections. Writers use the stores in rotation. */
export class PresetStores extends Context.Service<PresetStores, ReadonlyArray<Store>>()(
  "@verbatim/testkit/laws/Doors"
) {}

/** A single store. */
export const singleStore: Layer.Layer<PresetStores, never, PresetStore> = Layer.effect(
  PresetStores,
  Effect.map(PresetStore, (store) => [store])
)

/** The services that the laws require. */
export type Ports = PresetStores | PresetStore | WorkspaceStore

/**
 * Minimum number of services. One service serializes its own changes, but several services collide
 * as several processes do.
 */
const servicesMin = 3

/** The services, which use the stores in rotation. */
const services = Effect.flatMap(PresetStores, (stores) =>
  Effect.forEach(upTo(Math.max(stores.length, servicesMin)), (number) => {
    const store = stores[number % stores.length]
    if (store === undefined) return Effect.die("no door")
    return makePresets(store)
  })
)

type Service = Presets["Service"]

/** Returns the service that a writer uses. */
const serviceOf = (stores: ReadonlyArray<Service>, number: number): Effect.Effect<Service> =>
  Effect.orDie(Effect.fromNullishOr(stores[number % stores.length]))

const principalOf = (number: number): Principal => ({
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(number)
})

/** The version number that a writer tries to designate. The version need not exist. */
const version = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
const label = Schema.Literals([labels[0], labels[2]])

/**
 * One writer's commands. The commands draw from few values, so that writers collide and some
 * changes have no effect.
 */
const WriterCommand = Schema.TaggedUnion({
  Create: { text: Schema.Literal("Be brief."), stage: Schema.Boolean },
  Derive: {
    from: Schema.NullOr(version),
    field: Schema.Literals(["temperature", "top_p"]),
    value: Schema.Literals([0, 1]),
    stage: Schema.Boolean
  },
  Designate: { version },
  MoveLabel: { label, version },
  RemoveLabel: { label },
  Erase: { version },
  Revise: {
    change: Schema.Struct({
      status: PresetChange.fields.status,
      name: Schema.optionalKey(Schema.Literals(["a", "b"])),
      description: Schema.optionalKey(Schema.NullOr(Schema.Literals(["", "c"])))
    })
  }
})
type WriterCommand = typeof WriterCommand.Type

type Writers = ReadonlyArray<ReadonlyArray<WriterCommand>>

const commandsOf = (maxLength: number): Arbitrary.Arbitrary<ReadonlyArray<WriterCommand>> =>
  Arbitrary.array(Arbitrary.schema(WriterCommand), { minLength: 1, maxLength })

const create = WriterCommand.cases.Create.make({ text: "Be brief.", stage: false })

/**
 * Two or three writers with a few commands each. The first writer begins by creating the preset. A
 * change is retried far more often than the other writers can change the preset, so no change is
 * refused because it lost too often.
 */
const writers: Arbitrary.Arbitrary<Writers> = Arbitrary.map(
  Arbitrary.array(commandsOf(3), { minLength: 2, maxLength: 3 }),
  (all) => all.map((each, index) => (index === 0 ? [create, ...each] : each))
)

/** A single writer, which makes more calls, so that every kind of refusal occurs. */
const loneWriter: Arbitrary.Arbitrary<Writers> = Arbitrary.map(commandsOf(12), (alone) => [alone])

/** Returns the next number, which orders the starts and ends of calls. */
type Clock = () => number

/** Returns the ids that the service generated. */
const drawnOf = (
  { _tag }: WriterCommand,
  { preset, version }: PresetAnswer
): PresetOperation["drawn"] =>
  preset === null || version === null || (_tag !== "Create" && _tag !== "Derive")
    ? { ...(preset && { at: preset.updatedAt }) }
    : { presetId: preset.id, versionId: version.id, at: version.createdAt }

/** Runs all writers concurrently, and each writer's commands in order. */
const recordWriters = Effect.fnUntraced(function* (
  stores: ReadonlyArray<Service>,
  { now, slug, writers }: { readonly now: Clock; readonly slug: string; readonly writers: Writers }
) {
  const record = Effect.fnUntraced(function* (
    number: number,
    command: WriterCommand
  ): Effect.fn.Return<PresetOperation> {
    const principal = principalOf(number)
    const presets = yield* serviceOf(stores, number)
    const invoked = now()
    const result = yield* Effect.result(sendCommand(presets, command, { principal, slug }))
    const call = { command, by: principal.userId, invoked, returned: now() }
    return result._tag === "Failure"
      ? { ...call, outcome: { is: "refused" as const, reason: refusalOf(result.failure) } }
      : {
          ...call,
          drawn: drawnOf(command, result.success),
          outcome: {
            is: "answered" as const,
            answer: describeAnswer(command, result.success, fullSight)
          }
        }
  })
  const numbered = writers.map((commands, index) => ({ commands, number: index + 1 }))
  const all = yield* atOnce(numbered, ({ commands, number }) =>
    Effect.forEach(commands, (command) => record(number, command))
  )
  return all.flat()
})

const histories = (promise: string, of: Arbitrary.Arbitrary<Writers>): Case<Ports>["effect"] =>
  Effect.gen(function* () {
    yield* foundFirst
    const stores = yield* services
    let run = 0
    let moment = 0
    const now = () => moment++
    const holds = Effect.fnUntraced(function* (writers: Writers) {
      // Each run uses a new preset.
      const slug = `run-${run++}`
      const operations = yield* recordWriters(stores, { now, slug, writers })
      const answer = fullSight.kept(yield* readKept(workspaceId(1), slug))
      const last: PresetOperation = {
        ...{ command: { _tag: "List" }, by: userId(1), outcome: { is: "answered", answer } },
        ...{ invoked: now(), returned: now() }
      }
      const found = linearize(presetModel(slug, fullSight), [...operations, last])
      if (found._tag !== "NotLinear") return true
      return yield* new Expect.PromiseBroken({
        promise,
        expected: "an order in which the model says the same",
        actual: JSON.stringify(found.stuck)
      })
    })
    const checked = yield* Arbitrary.checkEffect(of, holds, { runs, size })
    const failure = Arbitrary.formatCheckFailure(checked)
    if (failure === undefined) return
    yield* new Expect.PromiseBroken({ promise, expected: "no counterexample", actual: failure })
  })

/** A run takes a few milliseconds, plus 10 ms for each collision between writers. */
const runs = scaleRuns(50)

/**
 * Histories are long from the start, because a history of a few commands shows nothing. With the
 * usual size, up to 150 runs were needed to find the faults that 50 runs now find in each store of
 * `PresetLaws.test.ts`.
 */
const size = 60

/**
 * Number of concurrent writers of one preset. The number is so small that no writer waits too long.
 */
const racers = 24

const body = Effect.succeed({ model: "gpt-4o", instructions: "Be brief.", input: "hello" })

/** The laws, for any test runner. */
export const laws: ReadonlyArray<Case<Ports>> = [
  {
    title: "give a single writer the answers and refusals of the model",
    effect: histories("one writer", loneWriter)
  },
  {
    title: "give concurrent writers the model's answers in the order of revisions",
    effect: histories("concurrent writers", writers)
  },
  {
    title: "let many concurrent writers change one preset, and refuse none",
    effect: Effect.gen(function* () {
      yield* foundFirst
      const stores = yield* services
      const slug = "crowded"
      const first = yield* serviceOf(stores, 0)
      const created = yield* first.create({ principal: principalOf(1), slug, body })
      const answers = yield* atOnce(upTo(racers), (number) => {
        const change = number % 2 === 0 ? { name: `${number}` } : { description: `${number}` }
        const wanted = Effect.succeed(change)
        return Effect.flatMap(serviceOf(stores, number), (presets) =>
          presets.revise({ principal: principalOf(number), slug, wanted })
        )
      })
      const revisions = answers.map(({ preset }) => preset.revision).toSorted((a, b) => a - b)
      yield* Expect.that("every change is one version", revisions).is(
        upTo(racers).map((number) => created.preset.revision + number)
      )
      const { preset } = yield* first.get({ principal: principalOf(1), slug })
      const last = answers.find((answer) => answer.preset.revision === preset.revision)
      yield* Expect.that("the last one is stored, with a change of either kind", [
        last?.preset,
        Number(preset.name) % 2,
        Number(preset.description) % 2
      ]).is([preset, 0, 1])
    })
  }
]

const contract: Contract<Ports> = {
  port: "Presets",
  cases: laws,
  // A writer that collides with another waits in real time.
  advance: (duration) => Effect.sleep(duration)
}

/** Registers the laws with Vitest. */
export const suite: Suite<Ports> = suiteOf(contract)
