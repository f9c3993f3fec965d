/**
 * The end of a run: what can be read straight from the stores, and what is left a day later.
 */
import { MediaStore } from "@verbatim/core/ports/MediaStore"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { PresetSlug } from "@verbatim/core/preset/PresetSlug"
import { jobIdOf } from "@verbatim/core/transcription/MediaKey"
import { collect } from "@verbatim/core/worker/MediaCollection"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { Context, Duration, Effect, Option } from "effect"
import * as Life from "./Life.ts"
import { type Files, store as mediaStore } from "./Media.ts"
import { slugs } from "./Plan.ts"
import type { Stores } from "./Stores.ts"
import type { World } from "./World.ts"

/** Media is collected when it is a day old. */
const collectionDelay = Duration.hours(25)

/** A call of a process that lives, unanswered for longer than this, has no deadline. */
const deadlineMillis = 240_000

/** More versions than any run makes. */
const page = { offset: 0, limit: 1_000 }

/** What can be read at the end, straight from the stores. */
export const readBooks = Effect.fnUntraced(function* (
  { facts, flights, timeline }: World,
  { id, stores }: { readonly stores: Context.Context<Stores>; readonly id: WorkspaceId }
) {
  const workspaceStore = Context.get(stores, WorkspaceStore)
  const account = yield* Effect.flatMap(workspaceStore.account(id), Effect.fromOption)
  const ledger = yield* workspaceStore.ledger(id)
  facts.push({
    _tag: "LedgerRead",
    balanceMillis: account.balanceMillis,
    amounts: ledger.map(({ millis }) => millis)
  })
  const presetStore = Context.get(stores, PresetStore)
  for (const slug of slugs) {
    const decoded = PresetSlug.make(slug)
    const found = yield* presetStore.find(id, decoded)
    if (Option.isNone(found)) continue
    const { preset } = found.value
    const versions = yield* presetStore.versions(preset.id, page)
    const designations = yield* presetStore.designations(preset.id, page)
    facts.push({
      _tag: "VersionsListed",
      slug,
      versions: versions.map(({ systemPrompt, version }) => ({ version, prompt: systemPrompt }))
    })
    facts.push({
      _tag: "DesignationsListed",
      slug,
      designations: designations.map(({ from, to }) => ({ from, to })),
      designatedVersion: preset.designatedVersion
    })
  }
  for (const { owner, since, what } of flights) {
    const sinceMillis = timeline.now() - since
    if (owner.life === "Running" && sinceMillis > deadlineMillis) {
      facts.push({ _tag: "StillWaiting", what: `${owner.name}: ${what}`, sinceMillis })
    }
  }
})

/** A day later a process collects what nobody needs any more. */
export const collectMedia = Effect.fnUntraced(function* (
  world: World,
  { files, stores }: { readonly stores: Context.Context<Stores>; readonly files: Files }
) {
  yield* Effect.sleep(collectionDelay)
  const life = Life.begin(world, { name: "collector", role: "worker", onCrash: () => {} })
  const ports = Context.add(stores, MediaStore, mediaStore(world, { files, life }))
  // Its calls are those of the collector; its steps may as well be taken outside.
  yield* Effect.provideContext(collect, ports)
  const ended = new Set(world.facts.flatMap((fact) => (fact._tag === "Accepted" ? [fact.id] : [])))
  for (const key of files.keys()) {
    const id = jobIdOf(key)
    if (ended.has(id)) world.facts.push({ _tag: "MediaLeft", id, key })
  }
})
