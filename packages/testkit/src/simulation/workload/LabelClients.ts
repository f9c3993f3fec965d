/**
 * Keepers of labels: they make and stage versions of one preset, move its labels, designate, erase
 * what nothing points to, and protect labels from those who have no scope of theirs, all at the
 * same time.
 */
import type { Preset } from "@verbatim/core/preset"
import { Presets } from "@verbatim/core/services"
import { LabelName, type Principal, toLabelScope, UserId } from "@verbatim/core/workspace"
import { Effect, Exit } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { Hand, LabelWish, Pointers } from "../record/LabelFacts.ts"
import type { Answer } from "./Asking.ts"
import { awaitBeginning, pause } from "./Bursts.ts"
import { asBearer, type Clients, type Key, mayBeDone } from "./Clients.ts"
import { reasonOf } from "./Requests.ts"

/** The one preset whose labels are kept. */
export const keptSlug = "kept"

/** The labels of a run. One of them is a name that every object knows. */
export const keptLabels = ["production", "staging", "constructor"] as const

/** The labels that are protected now and then. */
export const guardedLabels = ["production", "staging"] as const

/** The share of runs in which labels are kept: the others are as they would be without. */
const keptChance = 0.4

const keeperMax = 3

/** Most moves are by those whom a protection stops. */
const holderChance = 0.3

const planWish = (chance: Dice, name: string): LabelWish => {
  const version = chance.between(1, 4)
  const label = chance.chance(0.3) ? keptLabels[0] : chance.pick(keptLabels)
  const guarded = guardedLabels[chance.chance(0.7) ? 0 : 1]
  const by = chance.chance(holderChance) ? "holder" : "plain"
  const draw = chance.below(20)
  if (draw < 2) return { kind: "Create", comment: `plain ${name}` }
  if (draw < 4) return { kind: "Stage", comment: `staged ${name}` }
  if (draw < 5) return { kind: "Designate", version }
  if (draw < 9) return { kind: "Move", label, version, by }
  if (draw < 11) return { kind: "Remove", label, by }
  if (draw < 13) return { kind: "Erase", version }
  if (draw < 15) return { kind: "Resolve", label }
  if (draw < 17) return { kind: "Protect", label: guarded }
  return draw < 19 ? { kind: "Unprotect", label: guarded } : { kind: "Look" }
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

/** Whoever has the scopes of labels is another user, so that histories tell. */
const holderId = UserId.make("user_00000000-0000-7000-8000-0000000000aa")

/** The bearer of the key, or of one that has the scopes of all labels besides. */
export const asHand = (principal: Principal, by: Hand = "plain"): Principal =>
  by === "plain"
    ? principal
    : {
        ...principal,
        userId: holderId,
        scopes: ["presets:write", ...keptLabels.map((label) => toLabelScope(LabelName.make(label)))]
      }

/** Whose hand moved a label, as its history has it. */
export const handOf = (userId: UserId): Hand => (userId === holderId ? "holder" : "plain")

interface Told {
  /** Null where the answer shows no preset. */
  readonly preset: Preset | null
  readonly made: number | null
  readonly resolved?: number | null
}

const nothing: Told = { preset: null, made: null }

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
          const { by, label, version } = wish
          const move = { ...named, principal: asHand(principal, by), label }
          return Effect.map(presets.moveLabel({ ...move, wanted: Effect.succeed(version) }), told)
        }
        case "Remove": {
          const { by, label } = wish
          const removal = { ...named, principal: asHand(principal, by), label }
          return Effect.map(presets.removeLabel(removal), (preset) => told({ preset }))
        }
        case "Protect":
        case "Unprotect":
          return Effect.as(decide(wish)(presets, principal), nothing)
        case "Resolve":
          return presets.pin({ principal, preset: `${keptSlug}@${wish.label}` }).pipe(
            Effect.map(({ version }): Told => ({ ...nothing, resolved: version.version })),
            Effect.catchTag("LabelNotFound", () => Effect.succeed({ ...nothing, resolved: null }))
          )
        case "Erase":
          return Effect.map(presets.erase({ ...named, version: wish.version }), told)
        case "Look":
          return Effect.map(presets.get(named), told)
      }
    })

/** A wish of an operator. */
export type ProtectionWish = Extract<LabelWish, { readonly kind: "Protect" | "Unprotect" }>

/** An operator protects a label, or lifts that. */
const decide =
  ({ kind, label }: ProtectionWish) =>
  (presets: Presets["Service"], { workspaceId }: Principal): Effect.Effect<void, unknown> =>
    kind === "Protect"
      ? presets.protectLabel({ by: { kind: "operator", workspaceId }, label })
      : presets.unprotectLabel({ by: { kind: "operator", workspaceId }, label })

/** Asks once, and tells the auditor what was asked and answered. */
export const askOfLabels = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  wish: LabelWish
) {
  const { facts, timeline, trace } = clients.world
  const beganAt = timeline.now()
  const answer: Answer<Told, unknown> = yield* asBearer(clients, key, {
    question: questionOf(wish)
  })
  const told = answer !== null && Exit.isSuccess(answer) ? answer.value : null
  const isOpen = mayBeDone(answer)
  const shown = told?.preset ?? null
  const outcome = told === null ? (isOpen ? "lost" : reasonOf(answer)) : shown?.revision
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
      shown === null || told?.made !== null
        ? null
        : { revision: shown.revision, labels: pointersOf(shown) },
    ...(told?.resolved === undefined ? {} : { resolved: told.resolved })
  })
})

/** The share of steps that follow each other at once. */
const burstChance = 0.7

/** One keeper, who does one thing after the other. */
export const keepLabels = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { name, wishes }: { readonly name: string; readonly wishes: ReadonlyArray<LabelWish> }
) {
  const chance = clients.world.dice(`keeper ${name}`)
  yield* awaitBeginning(clients.world, "keepers")
  for (const wish of wishes) {
    yield* pause(chance, burstChance)
    yield* askOfLabels(clients, key, wish)
    // Whoever has protected a label looks where it is now.
    if (wish.kind === "Protect") yield* askOfLabels(clients, key, { kind: "Look" })
  }
})
