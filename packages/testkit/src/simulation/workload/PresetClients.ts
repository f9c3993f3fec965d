/**
 * Writers and readers of presets, at the same few slugs. Under an idempotency key a writer asks
 * again and again until it knows what became of its version.
 */

import type { DesignatedPreset } from "@verbatim/core/preset"
import { Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect, Exit } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { Asked, FactOf } from "../record/Facts.ts"
import type { PresetStep } from "../world/Plan.ts"
import type { Answer } from "./Asking.ts"
import { awaitBeginning, pause, stepMaxMillis } from "./Bursts.ts"
import { asBearer, type Clients, type Key, mayBeDone } from "./Clients.ts"
import { reasonOf } from "./Requests.ts"

type Seen = Pick<FactOf<"PresetSeen">, "designatedVersion">

const see = (
  { world }: Clients,
  {
    asked,
    found: { preset, version }
  }: { readonly asked: Asked; readonly found: DesignatedPreset },
  { designatedVersion }: Seen = preset
): void => {
  world.facts.push({
    _tag: "PresetSeen",
    ...asked,
    slug: preset.slug,
    latestVersion: preset.latestVersion,
    revision: preset.revision,
    designatedVersion,
    version: version.version,
    prompt: version.systemPrompt
  })
}

const bodyOf = (prompt: string) => ({
  model: "gpt-4o",
  instructions: prompt,
  input: "Hello."
})

const questionOf =
  (step: PresetStep) =>
  (principal: Principal): Effect.Effect<DesignatedPreset, unknown, Presets> =>
    Effect.flatMap(Presets, (presets): Effect.Effect<DesignatedPreset, unknown> => {
      const named = { principal, slug: step.slug }
      switch (step._tag) {
        case "Create": {
          const { key, prompt: systemPrompt } = step
          const create = presets.create({
            ...named,
            body: Effect.succeed(bodyOf(systemPrompt)),
            idempotencyKey: key ?? undefined
          })
          // Without a key it is the next version of the preset that is there, with another prompt.
          if (key !== null) return create
          const parts = { ...named, wanted: Effect.succeed({ systemPrompt }) }
          return Effect.catchIf(
            presets.createFromVersion(parts),
            (error) => error._tag === "PresetNotFound",
            () => create
          )
        }
        case "Designate":
          return presets.designate({ ...named, wanted: Effect.succeed(step.version) })
        case "Rename":
          return presets.revise({ ...named, wanted: Effect.succeed({ name: step.name }) })
        case "Switch":
          return presets.revise({ ...named, wanted: Effect.succeed({ status: step.status }) })
        case "Look":
          return presets.get(named)
      }
    })

/** The share of steps that follow each other at once. */
const burstChance = 0.7

/** The share of keys that are used again for something else. */
const misuseChance = 0.2

type Creation = Extract<PresetStep, { readonly _tag: "Create" }>

/** Asks once, and tells the auditor what was asked and answered. */
const ask = Effect.fnUntraced(function* (clients: Clients, key: Key, step: PresetStep) {
  const { facts, timeline, trace } = clients.world
  const beganAt = timeline.now()
  const answer: Answer<DesignatedPreset, unknown> = yield* asBearer(clients, key, {
    question: questionOf(step)
  })
  const asked = { beganAt, endedAt: timeline.now() }
  const { slug } = step
  const found = answer !== null && Exit.isSuccess(answer) ? answer.value : null
  const version = found?.version.version ?? null
  const isOpen = mayBeDone(answer)
  trace.add("writer", `${step._tag} ${slug}: ${version ?? (isOpen ? "lost" : reasonOf(answer))}`)
  if (step._tag === "Create") {
    facts.push({ _tag: "VersionCreated", ...asked, slug, prompt: step.prompt, version, isOpen })
  } else if (step._tag !== "Look") {
    const to = step._tag === "Designate" ? step.version : null
    const change = { slug, kind: step._tag, to, isDone: found !== null, isOpen }
    facts.push({ _tag: "PresetChanged", ...asked, ...change })
  }
  if (found !== null) {
    see(clients, { asked, found }, step._tag === "Create" ? { designatedVersion: null } : undefined)
  }
  if (found !== null) return "done"
  return isOpen ? "open" : "refused"
})

/** A writer that gets no answer gives up after this many requests. */
const tryMax = 8

/** Uses the key of a version that was made for another one. */
const misuse = Effect.fnUntraced(function* (clients: Clients, key: Key, step: Creation) {
  const { facts, timeline } = clients.world
  const beganAt = timeline.now()
  const answer: Answer<DesignatedPreset, unknown> = yield* asBearer(clients, key, {
    question: questionOf({ ...step, prompt: `not ${step.prompt}` })
  })
  if (mayBeDone(answer) || step.key === null) return
  const said = answer !== null && Exit.isSuccess(answer) ? "a version" : reasonOf(answer)
  const asked = { beganAt, endedAt: timeline.now() }
  facts.push({ _tag: "OtherPrompt", ...asked, key: step.key, answer: said })
})

/** Creates a version under a key: perhaps twice at once, and until there is an answer. */
const createKeyed = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { chance, step }: { readonly chance: Dice; readonly step: Creation }
) {
  const isTwice = clients.world.faults.strikes("client sends twice", "writer", step.prompt)
  const first = ask(clients, key, step)
  const ends = yield* Effect.all(isTwice ? [first, first] : [first], { concurrency: "unbounded" })
  let end = ends.find((each) => each !== "refused") ?? "refused"
  for (let count = 1; end === "open" && count < tryMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(stepMaxMillis)))
    end = yield* ask(clients, key, step)
  }
  if (end === "done" && chance.chance(misuseChance)) yield* misuse(clients, key, step)
})

/** One writer, who does one thing after the other. */
export const write = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { name, steps }: { readonly name: string; readonly steps: ReadonlyArray<PresetStep> }
) {
  const chance = clients.world.dice(`writer ${name}`)
  yield* awaitBeginning(clients.world, "writers")
  for (const step of steps) {
    yield* pause(chance, burstChance)
    yield* step._tag === "Create" && step.key !== null
      ? createKeyed(clients, key, { chance, step })
      : ask(clients, key, step)
  }
})
