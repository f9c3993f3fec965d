/**
 * Keepers of labels: they make and stage versions of one preset, move its labels, designate, and
 * erase what nothing points to, all at the same time.
 */
import type { Preset } from "@verbatim/core/preset"
import { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect, Exit } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { LabelWish, Pointers } from "../record/LabelFacts.ts"
import type { Answer } from "./Asking.ts"
import { asBearer, type Clients, type Key, mayBeDone } from "./Clients.ts"
import { reasonOf } from "./Requests.ts"

/** The one preset whose labels are kept. */
export const keptSlug = "kept"

/** The labels of a run. One of them is a name that every object knows. */
export const keptLabels = ["production", "staging", "constructor"] as const

/** The share of runs in which labels are kept: the others are as they would be without. */
const keptChance = 0.4

const keeperMax = 3

const planWish = (chance: Dice, name: string): LabelWish => {
  const version = chance.between(1, 4)
  const label = chance.pick(keptLabels)
  const draw = chance.below(12)
  if (draw < 2) return { kind: "Create", comment: `plain ${name}` }
  if (draw < 4) return { kind: "Stage", comment: `staged ${name}` }
  if (draw < 5) return { kind: "Designate", version }
  if (draw < 8) return { kind: "Move", label, version }
  if (draw < 9) return { kind: "Remove", label }
  return draw < 11 ? { kind: "Erase", version } : { kind: "Look" }
}

/** What each keeper of a run does, if there are any. */
export const planKeepers = (chance: Dice): ReadonlyArray<ReadonlyArray<LabelWish>> =>
  chance.chance(keptChance)
    ? Array.from({ length: chance.between(1, keeperMax) }, (_, keeper) =>
        Array.from({ length: chance.between(4, 9) }, (_, index) =>
          index === 0
            ? { kind: "Create" as const, comment: `plain ${keeper}.0` }
            : planWish(chance, `${keeper}.${index}`)
        )
      )
    : []

/** Where the labels of a preset point. */
export const pointersOf = ({ labels }: Preset): Pointers =>
  Object.fromEntries(Object.entries(labels).map(([name, { version }]) => [name, version]))

interface Told {
  readonly preset: Preset
  readonly made: number | null
}

const bodyOf = (comment: string) => ({ model: "gpt-4o", instructions: comment, input: "Hello." })

const questionOf =
  (wish: LabelWish) =>
  (principal: Principal): Effect.Effect<Told, unknown, Presets> =>
    Effect.flatMap(Presets, (presets): Effect.Effect<Told, unknown> => {
      const named = { principal, slug: keptSlug }
      const told = ({ preset }: { readonly preset: Preset }): Told => ({ preset, made: null })
      switch (wish.kind) {
        case "Create":
        case "Stage": {
          const { comment, kind } = wish
          const body = Effect.succeed(bodyOf(comment))
          const made = presets.create({ ...named, body, comment, stage: kind === "Stage" })
          return Effect.map(made, ({ preset, version }) => ({ preset, made: version.version }))
        }
        case "Designate":
          return Effect.map(
            presets.designate({ ...named, wanted: Effect.succeed(wish.version) }),
            told
          )
        case "Move": {
          const { label, version } = wish
          return Effect.map(
            presets.moveLabel({ ...named, label, wanted: Effect.succeed(version) }),
            told
          )
        }
        case "Remove":
          return Effect.map(presets.removeLabel({ ...named, label: wish.label }), (preset) =>
            told({ preset })
          )
        case "Erase":
          return Effect.map(presets.erase({ ...named, version: wish.version }), told)
        case "Look":
          return Effect.map(presets.get(named), told)
      }
    })

/** Asks once, and tells the auditor what was asked and answered. */
const ask = Effect.fnUntraced(function* (clients: Clients, key: Key, wish: LabelWish) {
  const { facts, timeline, trace } = clients.world
  const beganAt = timeline.now()
  const answer: Answer<Told, unknown> = yield* asBearer(clients, key, {
    question: questionOf(wish)
  })
  const told = answer !== null && Exit.isSuccess(answer) ? answer.value : null
  const isOpen = mayBeDone(answer)
  const outcome = told === null ? (isOpen ? "lost" : reasonOf(answer)) : told.preset.revision
  trace.add("keeper", `${JSON.stringify(wish)}: ${outcome}`)
  facts.push({
    _tag: "LabelAsked",
    beganAt,
    endedAt: timeline.now(),
    wish,
    isDone: told !== null,
    isOpen,
    made: told?.made ?? null,
    // The answer to a creation may be that to its repeat, with what happened since.
    seen:
      told === null || told.made !== null
        ? null
        : { revision: told.preset.revision, labels: pointersOf(told.preset) }
  })
})

const beginMaxMillis = 30_000
const stepMaxMillis = 6_000

/** Most steps follow each other at once, so that keepers meet. */
const burstMaxMillis = 12
const burstChance = 0.7

/** One keeper, who does one thing after the other. */
export const keepLabels = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { name, wishes }: { readonly name: string; readonly wishes: ReadonlyArray<LabelWish> }
) {
  const chance = clients.world.dice(`keeper ${name}`)
  // All keepers begin together, when the processes are up.
  yield* Effect.sleep(Duration.millis(clients.world.dice("keepers").between(1_000, beginMaxMillis)))
  for (const wish of wishes) {
    yield* Effect.sleep(
      Duration.millis(chance.below(chance.chance(burstChance) ? burstMaxMillis : stepMaxMillis))
    )
    yield* ask(clients, key, wish)
  }
})
