/**
 * Writers and readers of presets, at the same few slugs, and an operator who revokes a key and
 * changes a balance.
 */

import type { DesignatedPreset } from "@verbatim/core/preset/DesignatedPreset"
import { Presets } from "@verbatim/core/preset/Presets"
import type { ApiKeyId } from "@verbatim/core/workspace/ApiKey"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { Workspaces } from "@verbatim/core/workspace/Workspaces"
import { Duration, Effect, Exit } from "effect"
import type { Answer } from "./Asking.ts"
import type { Asked } from "./Facts.ts"
import { asBearer, type Key, type Office } from "./Office.ts"
import type { PresetStep } from "./Plan.ts"

const see = ({ world }: Office, asked: Asked, { preset, version }: DesignatedPreset): void => {
  world.facts.push({
    _tag: "PresetSeen",
    ...asked,
    slug: preset.slug,
    latestVersion: preset.latestVersion,
    revision: preset.revision,
    designatedVersion: preset.designatedVersion,
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
  (step: PresetStep) => (principal: Parameters<Presets["Service"]["get"]>[0]["principal"]) =>
    Effect.flatMap(Presets, (presets) => {
      const named = { principal, slug: step.slug }
      switch (step._tag) {
        case "Create":
          return presets.create({ ...named, body: Effect.succeed(bodyOf(step.prompt)) })
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

const beginMaxMillis = 30_000
const stepMaxMillis = 6_000

/** Most steps follow each other at once, so that writers meet. */
const burstMaxMillis = 12
const burstChance = 0.7

/** One writer, who does one thing after the other. */
export const write = Effect.fnUntraced(function* (
  office: Office,
  key: Key,
  { name, steps }: { readonly name: string; readonly steps: ReadonlyArray<PresetStep> }
) {
  const { facts, timeline, trace } = office.world
  const chance = office.world.dice(`writer ${name}`)
  // All writers begin together, when the processes are up.
  yield* Effect.sleep(Duration.millis(office.world.dice("writers").between(1_000, beginMaxMillis)))
  for (const step of steps) {
    yield* Effect.sleep(
      Duration.millis(chance.below(chance.chance(burstChance) ? burstMaxMillis : stepMaxMillis))
    )
    const beganAt = timeline.now()
    const answer: Answer<DesignatedPreset, unknown> = yield* asBearer(office, key, {
      question: questionOf(step)
    })
    const asked = { beganAt, endedAt: timeline.now() }
    const told = answer !== null && Exit.isSuccess(answer) ? answer.value : null
    trace.add("writer", `${step._tag} ${step.slug}: ${told?.version.version ?? "refused or lost"}`)
    if (step._tag === "Create") {
      facts.push({
        _tag: "VersionCreated",
        ...asked,
        slug: step.slug,
        prompt: step.prompt,
        version: told?.version.version ?? null,
        revision: told?.preset.revision ?? null
      })
    }
    if (told !== null) see(office, asked, told)
  }
})

/** Revokes a key at some moment, when the weather says so. */
export const revoke = Effect.fnUntraced(function* (
  { ask, world }: Office,
  key: Key & { readonly id: ApiKeyId }
) {
  const { facts, faults, timeline } = world
  yield* Effect.sleep(Duration.millis(world.dice("revocation").below(90_000)))
  if (!faults.strikes("key is revoked", "operator")) return
  const answer = yield* ask(Effect.flatMap(Workspaces, ({ revokeKey }) => revokeKey(key.id)))
  if (answer === null || Exit.isFailure(answer)) return
  facts.push({ _tag: "Revoked", key: key.name, at: timeline.now() })
})

const creditMax = 3

/** Gives and takes minutes, when the weather says so. */
export const credit = Effect.fnUntraced(function* ({ ask, world }: Office, id: WorkspaceId) {
  const chance = world.dice("credits")
  for (let count = 0; count < creditMax; count++) {
    yield* Effect.sleep(Duration.millis(chance.below(40_000)))
    if (!world.faults.strikes("balance changes", "operator")) continue
    const minutes = chance.between(-30, 30)
    const answer = yield* ask(Effect.flatMap(Workspaces, (each) => each.credit(id, minutes)))
    const isCertain = answer !== null && Exit.isSuccess(answer)
    world.facts.push({ _tag: "Credited", millis: minutes * 60_000, isCertain })
  }
})
