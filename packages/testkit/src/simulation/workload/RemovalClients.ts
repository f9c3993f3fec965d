/**
 * Removers of presets: they make, label, archive, restore and remove one preset, all at the same
 * time, so that its slug stands for one after the other.
 */
import type { Preset } from "@verbatim/core/preset"
import { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, Exit } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { RemovalWish, SeenPreset } from "../record/RemovalFacts.ts"
import type { Answer } from "./Asking.ts"
import { awaitBeginning, pause } from "./Bursts.ts"
import { asBearer, type Clients, type Key, mayBeDone } from "./Clients.ts"
import { asHand, askOfLabels, guardedLabels, type ProtectionWish } from "./LabelClients.ts"
import { reasonOf } from "./Requests.ts"

/** The slug that is freed and taken again. */
export const goingSlug = "going"

/** The share of runs with removers: the others are as they would be without. */
const goingChance = 0.3

const removerMax = 3

/** It is protected now and then, here and by keepers of labels. */
const [label] = guardedLabels

type Step = ProtectionWish | RemovalWish

const planWish = (chance: Dice, name: string): Step => {
  const by = chance.chance(0.5) ? "holder" : "plain"
  const draw = chance.below(17)
  if (draw > 14) return { kind: "Protect", label }
  if (draw > 13) return { kind: "Unprotect", label }
  if (draw < 3) return { kind: "Create", comment: `made ${name}` }
  if (draw < 5) return { kind: "Label" }
  if (draw < 8) return { kind: "Archive", by }
  if (draw < 9) return { kind: "Restore", by }
  return draw < 12 ? { kind: "Remove", by } : { kind: "Look" }
}

/** What each remover of a run does, if there are any. */
export const planRemovers = (chance: Dice): ReadonlyArray<ReadonlyArray<Step>> =>
  chance.chance(goingChance)
    ? Array.from({ length: chance.between(1, removerMax) }, (_, remover) =>
        Array.from({ length: chance.between(4, 10) }, (_, index) =>
          index === 0
            ? { kind: "Create" as const, comment: `made ${remover}.0` }
            : planWish(chance, `${remover}.${index}`)
        )
      )
    : []

/** What is told of a preset. */
export const toSeenPreset = ({ _tag, id, labels }: Preset): SeenPreset => ({
  id,
  status: _tag,
  labels: Object.keys(labels)
})

interface Told {
  readonly preset: Preset
  readonly made: number | null
}

const statuses = { Archive: "archived", Restore: "active" } as const

const questionOf =
  (wish: RemovalWish) =>
  (principal: Principal): Effect.Effect<Told, unknown, Presets> =>
    Effect.flatMap(Presets, (presets): Effect.Effect<Told, unknown> => {
      const named = { principal, slug: goingSlug }
      const told = ({ preset }: { readonly preset: Preset }): Told => ({ preset, made: null })
      switch (wish.kind) {
        case "Create": {
          const { comment } = wish
          const body = Effect.succeed({ model: "gpt-4o", instructions: comment, input: "Hello." })
          return Effect.map(
            presets.create({ ...named, body, comment }),
            ({ preset, version }): Told => ({ preset, made: version.version })
          )
        }
        case "Label": {
          const move = { ...named, principal: asHand(principal, "holder"), label }
          return Effect.map(presets.moveLabel({ ...move, wanted: Effect.succeed(1) }), told)
        }
        case "Archive":
        case "Restore": {
          const change = { ...named, principal: asHand(principal, wish.by) }
          const wanted = Effect.succeed({ status: statuses[wish.kind] })
          return Effect.map(presets.revise({ ...change, wanted }), told)
        }
        case "Remove":
          return Effect.map(
            presets.remove({ ...named, principal: asHand(principal, wish.by) }),
            (preset) => told({ preset })
          )
        case "Look":
          return Effect.map(presets.get(named), told)
      }
    })

/** Asks once, and tells the auditor what was asked and answered. */
const ask = Effect.fnUntraced(function* (clients: Clients, key: Key, wish: RemovalWish) {
  const { facts, timeline, trace } = clients.world
  const beganAt = timeline.now()
  const answer: Answer<Told, unknown> = yield* asBearer(clients, key, {
    question: questionOf(wish)
  })
  const told = answer !== null && Exit.isSuccess(answer) ? answer.value : null
  const isOpen = mayBeDone(answer)
  const outcome = told === null ? (isOpen ? "lost" : reasonOf(answer)) : told.preset.id
  trace.add("remover", `${JSON.stringify(wish)}: ${outcome}`)
  facts.push({
    _tag: "RemovalAsked",
    beganAt,
    endedAt: timeline.now(),
    wish,
    isDone: told !== null,
    isOpen,
    made: told?.made ?? null,
    seen: told === null ? null : toSeenPreset(told.preset)
  })
})

/** The share of steps that follow each other at once. */
const burstChance = 0.6

/** One remover, who does one thing after the other. */
export const removePresets = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { name, wishes }: { readonly name: string; readonly wishes: ReadonlyArray<Step> }
) {
  const chance = clients.world.dice(`remover ${name}`)
  // They begin with the keepers of labels, who protect what stands in their way.
  yield* awaitBeginning(clients.world, "keepers")
  for (const wish of wishes) {
    yield* pause(chance, burstChance)
    if ("label" in wish) {
      yield* askOfLabels(clients, key, wish)
    } else yield* ask(clients, key, wish)
  }
})
