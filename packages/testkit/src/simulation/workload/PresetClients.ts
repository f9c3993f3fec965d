/**
 * Clients that write and read a few presets with every command in the model. A request with an
 * idempotency key is retried until its outcome is known.
 */

import { Presets } from "@verbatim/core/services"
import { Cause, Duration, Effect, Exit } from "effect"
import type { Outcome } from "../../model/Linear.ts"
import {
  asHolder,
  describeAnswer,
  labels,
  type PresetAnswer,
  refusalOf,
  sendCommand
} from "../../model/PresetCommands.ts"
import { type Command, presetRefusals } from "../../model/PresetModel.ts"
import type { Dice } from "../clock/Seed.ts"
import type { Answer } from "./ClientCall.ts"
import {
  asBearer,
  awaitBeginning,
  type Clients,
  type Key,
  mayBeDone,
  pause,
  stepMaxMillis
} from "./Clients.ts"

/**
 * Two slugs that differ only in case, and the slug of a preset that is removed and created again.
 */
export const slugs = ["support", "Support", "going"] as const

/** A writer's next step. */
interface Step {
  readonly slug: (typeof slugs)[number]
  readonly command: Command
  /** Whether the writer's key has all label scopes. */
  readonly isHolder: boolean
}

const writerMax = 5

/**
 * Upper bounds on the random number that chooses a command: for permanent presets, and for the one
 * that is removed.
 */
const lastingDraws = 21
const goingDraws = 28

const planCommand = (chance: Dice, draws: number, name: string): Command => {
  const version = chance.between(1, 4)
  const label = chance.chance(0.5) ? labels[0] : chance.pick(labels)
  const stage = chance.chance(0.4)
  const draw = chance.below(draws)
  if (draw < 4) {
    const key = chance.chance(0.4) ? { key: `key-of-${name}` } : {}
    return { _tag: "Create", text: `prompt ${name}`, stage, ...key }
  }
  if (draw < 6) {
    const from = chance.chance(0.5) ? null : version
    return { _tag: "Derive", from, field: "temperature", value: chance.below(2), stage }
  }
  if (draw < 8) return { _tag: "Designate", version }
  if (draw < 11) return { _tag: "MoveLabel", label, version }
  if (draw < 12) return { _tag: "RemoveLabel", label }
  if (draw < 14) return { _tag: "Erase", version }
  if (draw < 15) return { _tag: "Revise", change: { name: `name ${name}` } }
  if (draw < 16)
    return { _tag: "Revise", change: { status: chance.pick(["active", "disabled"] as const) } }
  if (draw < 17) return { _tag: "Resolve", label }
  if (draw < 19) return { _tag: "Protect", label }
  if (draw < 20) return { _tag: "Unprotect", label }
  if (draw < 21) return { _tag: "Look" }
  if (draw < 24) return { _tag: "Revise", change: { status: "archived" } }
  return draw < 25 ? { _tag: "Revise", change: { status: "active" } } : { _tag: "Remove" }
}

const planStep = (chance: Dice, name: string): Step => {
  const slug = chance.chance(0.5) ? slugs[0] : chance.pick([slugs[1], slugs[2], slugs[2]] as const)
  const draws = slug === "going" ? goingDraws : lastingDraws
  return { slug, command: planCommand(chance, draws, name), isHolder: chance.chance(0.3) }
}

/** Plans each writer's steps in a run. */
export const planWriters = (chance: Dice): ReadonlyArray<ReadonlyArray<Step>> =>
  Array.from({ length: chance.between(1, writerMax) }, (_, writer) =>
    Array.from({ length: chance.between(3, 9) }, (_, index) =>
      planStep(chance, `${writer}.${index}`)
    )
  )

const isRefusal = (reason: string): boolean => presetRefusals.some((each) => each === reason)

/** Returns the outcome of a command, or none if it was refused for a reason outside presets. */
const outcomeOf = (
  command: Command,
  answer: Answer<PresetAnswer, unknown>
): Outcome<string> | undefined => {
  if (answer !== null && Exit.isSuccess(answer)) {
    return { is: "answered", answer: describeAnswer(command, answer.value) }
  }
  if (answer === null || mayBeDone(answer)) return { is: "unknown", cause: "no answer" }
  const reason = refusalOf(Cause.squash(answer.cause))
  return isRefusal(reason) ? { is: "refused", reason } : undefined
}

/** Sends a command once, and reports the command and its answer to the auditor. */
const call = Effect.fnUntraced(function* (clients: Clients, key: Key, step: Step) {
  const { facts, trace } = clients.world
  const { command, isHolder } = step
  const slug = command._tag === "Protect" || command._tag === "Unprotect" ? "" : step.slug
  const { answer, interval, value } = yield* asBearer(clients, key, (principal) =>
    Effect.flatMap(Presets, (presets) =>
      sendCommand(presets, command, { slug, principal: isHolder ? asHolder(principal) : principal })
    )
  )
  const outcome = outcomeOf(command, answer)
  trace.add("writer", `${JSON.stringify(command)} ${slug}: ${JSON.stringify(outcome)}`)
  if (outcome === undefined) return "refused"
  const removed = command._tag === "Remove" ? (value?.preset?.id ?? null) : null
  facts.push({ _tag: "PresetCalled", ...interval, slug, command, isHolder, outcome, removed })
  return outcome.is
})

/** Share of steps that immediately follow the previous step. */
const burstChance = 0.7

/** Share of keys reused for a different request. */
const misuseChance = 0.2

/** Number of unanswered requests after which a writer stops trying. */
const tryMax = 8

/** Creates a version with a key, perhaps twice concurrently, until there is a response. */
const createKeyed = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { chance, name, step }: { readonly chance: Dice; readonly name: string; readonly step: Step }
) {
  const isTwice = clients.world.faults.strikes("client sends twice", "writer", name)
  const first = call(clients, key, step)
  const ends = yield* Effect.all(isTwice ? [first, first] : [first], { concurrency: "unbounded" })
  let end = ends.find((each) => each !== "refused") ?? "refused"
  for (let count = 1; end === "unknown" && count < tryMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(stepMaxMillis)))
    end = yield* call(clients, key, step)
  }
  if (end !== "answered" || !chance.chance(misuseChance)) return
  const other = { ...step.command, text: `not prompt ${name}` }
  yield* call(clients, key, { ...step, command: other })
})

/** Runs one writer's steps in order. */
export const write = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { name, steps }: { readonly name: string; readonly steps: ReadonlyArray<Step> }
) {
  const chance = clients.world.dice(`writer ${name}`)
  yield* awaitBeginning(clients.world, "writers")
  for (const [index, step] of steps.entries()) {
    yield* pause(chance, burstChance)
    const { command } = step
    if (command._tag === "Create" && command.key !== undefined) {
      yield* createKeyed(clients, key, { chance, name: `${name}.${index}`, step })
    } else yield* call(clients, key, step)
    // A writer that has protected a label reads which version the label points to.
    if (command._tag === "Protect")
      yield* call(clients, key, { ...step, command: { _tag: "Look" } })
  }
})
