/**
 * What is true of `Presets` over any store, under concurrent writers: they get what the pure
 * machine would give them one after the other.
 */

import type { PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import type { VersionErased, VersionNotFound } from "@verbatim/core/preset"
import type {
  LabelNotChanged,
  LabelNotMoved,
  NotChanged,
  NotCreated,
  NotErased,
  NotMadeOfParts,
  Presets
} from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, Result } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { atOnce, type Case, type Contract } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { type Suite, suiteOf } from "../contracts/Vitest.ts"
import { upTo, userId, workspaceId } from "../samples/Ids.ts"
import { foundFirst } from "../samples/SampleWorkspace.ts"
import { Doors, oneDoor, services } from "./PresetDoors.ts"
import * as History from "./PresetHistory.ts"
import { expectStored, numbersOf } from "./PresetStored.ts"
import { scaleRuns } from "./Runs.ts"

export { Doors, oneDoor }

/** What the laws need. */
export type Ports = Doors | PresetStore | WorkspaceStore

type Service = Presets["Service"]

const principalOf = (number: number): Principal => ({
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(number)
})

const body = Effect.succeed({ model: "gpt-4o", instructions: "Be brief.", input: "hello" })

type Failure =
  | LabelNotChanged
  | LabelNotMoved
  | NotChanged
  | NotCreated
  | NotErased
  | NotMadeOfParts
  | VersionErased
  | VersionNotFound

const obey = (
  presets: Service,
  command: History.Command,
  named: Named
): Effect.Effect<History.Answer, Failure> => {
  switch (command._tag) {
    case "Create":
      return presets.create({ ...named, body, stage: command.stage })
    case "Derive": {
      const { field, from, stage, value } = command
      const parts = { from: from ?? "designated", set: { [field]: value }, stage }
      return presets.createFromVersion({ ...named, wanted: Effect.succeed(parts) })
    }
    case "Designate":
      return presets.designate({ ...named, wanted: Effect.succeed(command.version) })
    case "MoveLabel": {
      const { label, version } = command
      return presets.moveLabel({ ...named, label, wanted: Effect.succeed(version) })
    }
    case "RemoveLabel":
      return Effect.map(presets.removeLabel({ ...named, label: command.label }), (preset) => ({
        preset,
        version: null
      }))
    case "Erase":
      return presets.erase({ ...named, version: command.version })
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
 * starts over far more often than the others can change the preset, so nobody may be refused for
 * being too slow.
 */
const writers: Arbitrary.Arbitrary<Writers> = Arbitrary.map(
  Arbitrary.array(commands(3), { minLength: 2, maxLength: 3 }),
  (all) => all.map((each, index) => (index === 0 ? [create, ...each] : each))
)

const create = History.Command.cases.Create.make({ stage: false })

/** A single writer meets every refusal sooner or later, because it has more time. */
const loneWriter: Arbitrary.Arbitrary<Writers> = Arbitrary.map(commands(12), (alone) => [alone])

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
      yield* expectStored(presets, { principal: principalOf(1), slug, steps: explained.success })
      return true
    })
    const checked = yield* Arbitrary.checkEffect(of, holds, { runs, size })
    const failure = Arbitrary.formatCheckFailure(checked)
    if (failure === undefined) return
    yield* new Expect.PromiseBroken({ promise, expected: "no counterexample", actual: failure })
  })

/** A run takes a few milliseconds, and 10 ms more for each time that writers collide. */
const runs = scaleRuns(50)

/**
 * Histories are long from the start: those of a few commands show nothing. With the usual size it
 * took up to 150 runs to find what is found in 50 now, in each store of `PresetLaws.test.ts`.
 */
const size = 60

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
        yield* Expect.that("one preset", new Set(answers.map(({ preset }) => preset.id)).size).is(1)
        yield* Expect.that(
          "every version once",
          numbersOf(answers.map(({ version }) => version)).toSorted((a, b) => a - b)
        ).is([...upTo(racers)])
      }
    })
  },
  {
    title: "let 64 writers change one preset at once, and refuse nobody",
    effect: Effect.gen(function* () {
      yield* foundFirst
      const doors = yield* services
      const slug = "crowded"
      const [first] = doors
      if (first === undefined) return
      const created = yield* first.create({ principal: principalOf(1), slug, body })
      const answers = yield* atOnce(upTo(racers), (number) => {
        const presets = doors[number % doors.length] ?? first
        const change = number % 2 === 0 ? { name: `${number}` } : { description: `${number}` }
        const wanted = Effect.succeed(change)
        return presets.revise({ principal: principalOf(number), slug, wanted })
      })
      const revisions = answers.map(({ preset }) => preset.revision).toSorted((a, b) => a - b)
      yield* Expect.that("every change is one", revisions).is(
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
  // Writers that collide wait in real time.
  advance: (duration) => Effect.sleep(duration)
}

/** Registers the laws with Vitest. */
export const suite: Suite<Ports> = suiteOf(contract)
