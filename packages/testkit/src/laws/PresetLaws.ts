/**
 * What is true of `Presets` over any store, under concurrent writers: they get what the pure
 * machine would give them one after the other.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import type { DesignatedPreset, PresetVersion, VersionNotFound } from "@verbatim/core/preset"
import { type NotChanged, type NotCreated, Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Option, Result } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { Digest, SecureRandom } from "effect/crypto"
import { atOnce, type Case, type Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { upTo, userId, workspaceId } from "../samples/Ids.ts"
import { designationsOf, versionsOf } from "../samples/SamplePreset.ts"
import { foundFirst } from "../samples/SampleWorkspace.ts"
import * as History from "./PresetHistory.ts"

type Store = PresetStore["Service"]

/** Ways to the presets of one database, such as connections. Writers take them in turn. */
export class Doors extends Context.Service<Doors, ReadonlyArray<Store>>()(
  "@verbatim/testkit/laws/Doors"
) {}

/** The only way, where there is one. */
export const oneDoor: Layer.Layer<Doors, never, PresetStore> = Layer.effect(
  Doors,
  Effect.map(PresetStore, (store) => [store])
)

/** What the laws need. */
export type Ports = Doors | PresetStore | WorkspaceStore

/** A store that lets others go first: one that answers at once would let nobody in between. */
const hesitant = (store: Store): Store => ({
  ...store,
  append: (draft) => Effect.andThen(Effect.yieldNow, store.append(draft)),
  revise: (revision) => Effect.andThen(Effect.yieldNow, store.revise(revision)),
  find: (id, slug) => Effect.andThen(Effect.yieldNow, store.find(id, slug)),
  version: (id, number) => Effect.andThen(Effect.yieldNow, store.version(id, number))
})

/** The service at each door. */
const services = Effect.flatMap(Doors, (doors) =>
  Effect.forEach(doors, (store) =>
    Effect.map(
      Layer.build(
        Presets.layer.pipe(
          Layer.provide(Layer.succeed(PresetStore, hesitant(store))),
          Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto]),
          Layer.fresh
        )
      ),
      (context) => Context.get(context, Presets)
    )
  )
)

type Service = Presets["Service"]

const principalOf = (number: number): Principal => ({
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(number)
})

const body = Effect.succeed({ model: "gpt-4o", instructions: "Be brief.", input: "hello" })

type Failure = NotChanged | NotCreated | VersionNotFound

const obey = (
  presets: Service,
  command: History.Command,
  named: Named
): Effect.Effect<DesignatedPreset, Failure> => {
  switch (command._tag) {
    case "Create":
      return presets.create({ ...named, body })
    case "Designate":
      return presets.designate({ ...named, wanted: Effect.succeed(command.version) })
    case "Revise":
      return presets.revise({ ...named, wanted: Effect.succeed(command.change) })
  }
}

interface Named {
  readonly principal: Principal
  readonly slug: string
}

/** Lets each writer do its commands one after the other, and all writers at the same time. */
const recordWriters = Effect.fnUntraced(function* (
  doors: ReadonlyArray<Service>,
  { slug, writers }: { readonly slug: string; readonly writers: Writers }
) {
  let moment = 0
  const attempt = Effect.fnUntraced(function* (
    presets: Service,
    command: History.Command,
    principal: Principal
  ) {
    const began = moment++
    const outcome = yield* Effect.result(obey(presets, command, { principal, slug }))
    const ended = moment++
    return {
      command,
      by: principal.userId,
      began,
      ended,
      outcome: Result.mapError(outcome, (error) =>
        error._tag === "PresetStoreError" ? error.reason._tag : error._tag
      )
    } satisfies History.Call
  })
  const numbered = writers.map((commands, index) => ({ commands, index }))
  const all = yield* atOnce(numbered, ({ commands, index }) => {
    const presets = doors[index % doors.length]
    if (presets === undefined) return Effect.succeed([])
    const principal = principalOf(index + 1)
    return Effect.forEach(commands, (command) => attempt(presets, command, principal))
  })
  return all.flat()
})

type Writers = ReadonlyArray<ReadonlyArray<History.Command>>

const commands = (maxLength: number): Arbitrary.Arbitrary<ReadonlyArray<History.Command>> =>
  Arbitrary.array(Arbitrary.schema(History.Command), { minLength: 1, maxLength })

/**
 * Two or three writers of some commands, of whom the first creates the preset first. A change
 * starts over up to ten times, and the others change the preset seven times at most, so nobody may
 * be refused for being too slow.
 */
const writers: Arbitrary.Arbitrary<Writers> = Arbitrary.map(
  Arbitrary.array(commands(3), { minLength: 2, maxLength: 3 }),
  (all) => all.map((each, index) => (index === 0 ? [create, ...each] : each))
)

const create = History.Command.cases.Create.make({})

/** A single writer meets every refusal sooner or later, because it has more time. */
const loneWriter: Arbitrary.Arbitrary<Writers> = Arbitrary.map(commands(12), (alone) => [alone])

const numbersOf = (versions: ReadonlyArray<PresetVersion>): ReadonlyArray<number> =>
  versions.map(({ version }) => version)

/** Fails unless the store ends up with what the history says. */
const expectStored = Effect.fnUntraced(function* (
  presets: Service,
  { slug, steps }: { readonly slug: string; readonly steps: ReadonlyArray<History.Step> }
) {
  const last = steps.at(-1)
  if (last === undefined) return
  const store = yield* PresetStore
  const { preset } = last
  const { id } = preset
  const found = yield* presets.get({ principal: principalOf(1), slug })
  yield* Expect.that("the preset is as the last change left it", {
    actual: found.preset,
    expected: preset
  })
  const created = steps.filter(({ attempt }) => attempt.command._tag === "Create")
  const versions = yield* versionsOf(id)
  yield* Expect.that("versions are dense, each as its writer was told", {
    actual: versions,
    expected: created.map(({ attempt }) => attempt.answer.version)
  })
  yield* Expect.that("versions are numbered", {
    actual: numbersOf(versions),
    expected: upTo(versions.length)
  })
  yield* Expect.that("every answer had the version that it designated", {
    actual: steps.map(({ attempt }) => attempt.answer.version),
    expected: steps.flatMap((step) => versions[step.preset.designatedVersion - 1] ?? [])
  })
  yield* Expect.that("the designations follow from the changes", {
    actual: yield* designationsOf(id),
    expected: History.designationsOf(steps)
  })
  yield* Expect.that("what is designated now was designated last", {
    actual: yield* store.designatedAt(id, last.attempt.answer.preset.updatedAt),
    expected: Option.some(found.version)
  })
})

const histories = (promise: string, of: Arbitrary.Arbitrary<Writers>): Case<Ports>["effect"] =>
  Effect.gen(function* () {
    yield* foundFirst
    const doors = yield* services
    const [presets] = doors
    if (presets === undefined) return
    let run = 0
    const holds = Effect.fnUntraced(function* (writers: Writers) {
      // A preset of its own for each run.
      const slug = `run-${run++}`
      const attempts = yield* recordWriters(doors, { slug, writers })
      const explained = History.explain(attempts)
      if (Result.isFailure(explained)) {
        return yield* new Expect.PromiseBroken({
          promise,
          expected: "an order in which the machine says the same",
          actual: explained.failure
        })
      }
      yield* expectStored(presets, { slug, steps: explained.success })
      return true
    })
    const failure = Arbitrary.formatCheckFailure(yield* Arbitrary.checkEffect(of, holds, { runs }))
    if (failure === undefined) return
    yield* new Expect.PromiseBroken({ promise, expected: "no counterexample", actual: failure })
  })

/** A run takes a few milliseconds, and 10 ms more for each time that writers collide. */
const runs = 100

/** How often the race for a new slug is run, and by how many. */
const rounds = 20
const racers = 64

/** The laws, for any runner. */
export const laws: ReadonlyArray<Case<Ports>> = [
  {
    title: "tell one writer what the machine says, refusals too",
    effect: histories("one writer", loneWriter)
  },
  {
    title: "tell concurrent writers what the machine says in the order of the revisions",
    effect: histories("concurrent writers", writers)
  },
  {
    title: "give 64 writers of a new slug the versions 1 to 64 of one preset, 20 times",
    effect: Effect.gen(function* () {
      yield* foundFirst
      const doors = yield* services
      for (const round of upTo(rounds)) {
        const slug = `round-${round}`
        const answers = yield* atOnce(upTo(racers), (number) => {
          const presets = doors[number % doors.length]
          const principal = principalOf(number)
          return presets === undefined
            ? Effect.die("no door")
            : presets.create({ principal, slug, body })
        })
        yield* Expect.that("one preset", {
          actual: new Set(answers.map(({ preset }) => preset.id)).size,
          expected: 1
        })
        yield* Expect.that("every version once", {
          actual: numbersOf(answers.map(({ version }) => version)).toSorted((a, b) => a - b),
          expected: [...upTo(racers)]
        })
      }
    })
  }
]

const contract: Contract<Ports> = {
  port: "Presets",
  cases: laws,
  // Writers that collide wait in real time.
  advance: (duration) => Effect.sleep(duration)
}

/** Registers the laws with Vitest. */
export const suite: Suite<Ports> = suiteOf(contract)
