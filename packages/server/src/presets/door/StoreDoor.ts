/**
 * The presets of a workspace in a database on this machine. Whoever has the database acts as a
 * management key without scopes of labels, or as the key that is given; on which labels are
 * protected, as an operator.
 */

import {
  type DesignatedPreset,
  type HeldVersion,
  type Preset,
  type PresetCondition,
  type PresetVersion,
  toRequestBody,
  toRequestFormat,
  VersionErased
} from "@verbatim/core/preset"
import { type ApiKeys, Presets } from "@verbatim/core/services"
import { isAllowed, type Principal } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option } from "effect"
import {
  type Added,
  DoorRefusal,
  type Fence,
  type ListedPreset,
  type Pointed,
  PresetDoor
} from "./PresetDoor.ts"
import { readPresets } from "./PresetPages.ts"
import { makeHistories } from "./StoreHistories.ts"
import { makeProtections } from "./StoreProtections.ts"
import { refuse } from "./StoreRefusals.ts"

const toCondition = (fence: Fence | undefined): PresetCondition | undefined => {
  if (fence === undefined) return undefined
  return fence === null ? { noneMatch: "any" } : { match: [fence] }
}

const toHeld = ({
  config,
  format,
  id,
  systemPrompt,
  version,
  wins
}: PresetVersion): HeldVersion => ({
  id,
  version,
  format,
  systemPrompt,
  config,
  wins
})

const toAdded = ({ version: { config, id, version } }: DesignatedPreset): Added => ({
  config,
  id,
  version
})

const statuses = { Active: "active", Disabled: "disabled", Archived: "archived" } as const

const toListed = ({ _tag, name, slug, updatedAt }: Preset): ListedPreset => ({
  slug,
  name,
  status: statuses[_tag],
  updatedAt: DateTime.formatIso(updatedAt)
})

const forbidden = (scope: string) =>
  new DoorRefusal({ reason: "Refused", sentence: `This takes a key with the scope ${scope}` })

/** Makes the door of a workspace. */
export const layer = (principal: Principal): Layer.Layer<PresetDoor, never, ApiKeys | Presets> =>
  Layer.effect(
    PresetDoor,
    Effect.gen(function* () {
      const presets = yield* Presets
      const protections = yield* makeProtections(principal)
      const histories = makeHistories(presets, principal)
      const { kind, scopes = null } = principal
      /** Which kind of key may write is for the services to say. */
      const may = (scope: "presets:read" | "presets:write") =>
        isAllowed({ kind, scopes }, scope) || (scope === "presets:write" && kind === "inference")
          ? Effect.void
          : Effect.fail(forbidden(scope))
      const reading = <A>(doing: Effect.Effect<A, DoorRefusal>) =>
        Effect.andThen(may("presets:read"), doing)
      const writing = <A>(doing: Effect.Effect<A, DoorRefusal>) =>
        Effect.andThen(may("presets:write"), doing)

      const versionAt = Effect.fnUntraced(function* ({ point, slug }: Pointed) {
        const named = { principal, slug }
        const { preset, version } = yield* presets.get(named)
        if (point === "designated") return version
        if (point === "latest") return yield* presets.version(named, preset.latestVersion)
        if (typeof point === "number") return yield* presets.version(named, point)
        const labels = yield* presets.labels(named)
        const label = labels.find(({ name }) => name === point)
        if (label !== undefined) return yield* presets.version(named, label.version)
        const sentence = `The preset ${slug} has no label ${point}`
        return yield* new DoorRefusal({ reason: "NotFound", sentence })
      })

      const find = Effect.fnUntraced(function* (slug: string) {
        const named = { principal, slug }
        const { preset, version } = yield* presets.get(named)
        const labels = yield* presets.labels(named)
        const numbers = new Set([preset.latestVersion, ...labels.map((label) => label.version)])
        numbers.delete(version.version)
        const others = yield* Effect.forEach(numbers, (number) => presets.version(named, number))
        return Option.some({
          slug,
          workspaceId: preset.workspaceId,
          name: preset.name,
          description: preset.description,
          status: statuses[preset._tag],
          designatedVersion: version.version,
          latestVersion: preset.latestVersion,
          labels: new Map(labels.map((label) => [label.name as string, label.version])),
          versions: [version, ...others.filter(({ erased }) => erased === null)].map(toHeld)
        })
      })

      return PresetDoor.of({
        workspaceId: Effect.succeed(principal.workspaceId),
        list: (filter) =>
          reading(
            readPresets((page) =>
              Effect.map(presets.list(principal, { ...filter, ...page }), (found) => ({
                presets: found.presets.map(toListed),
                total: found.total
              }))
            ).pipe(refuse)
          ),
        find: (slug) =>
          reading(
            find(slug).pipe(
              Effect.catchTag("PresetNotFound", () => Effect.succeedNone),
              refuse
            )
          ),
        version: (wanted) =>
          reading(
            versionAt(wanted).pipe(
              Effect.filterOrFail(
                ({ erased }) => erased === null,
                ({ version }) => new VersionErased({ slug: wanted.slug, version })
              ),
              Effect.map(toHeld),
              refuse
            )
          ),
        diff: (from, to) =>
          reading(
            presets
              .diff(
                { principal, slug: from.slug },
                { from: from.point, to: to.point, slug: to.slug }
              )
              .pipe(refuse)
          ),
        resolve: ({ at, format, reference, request }) =>
          reading(
            presets.resolve({ principal, preset: reference, format, at }, request).pipe(
              Effect.map(({ leftOut, request }) => ({ request, leftOut })),
              refuse
            )
          ),
        add: ({ comment, content, fence, key, slug, stage }) =>
          writing(
            presets
              .create({
                principal,
                slug,
                format: toRequestFormat(content.format),
                idempotencyKey: key,
                condition: toCondition(fence),
                stage,
                comment,
                wins: content.wins,
                body: Effect.succeed(toRequestBody(content))
              })
              .pipe(Effect.map(toAdded), refuse)
          ),
        edit: ({ parts, slug }) =>
          writing(
            presets
              .createFromVersion({ principal, slug, wanted: Effect.succeed(parts) })
              .pipe(Effect.map(toAdded), refuse)
          ),
        revise: ({ change, fence, slug }) =>
          writing(
            presets
              .revise({
                principal,
                slug,
                condition: toCondition(fence),
                wanted: Effect.succeed(change)
              })
              .pipe(Effect.asVoid, refuse)
          ),
        designate: ({ fence, slug, version }) =>
          writing(
            presets
              .designate({
                principal,
                slug,
                condition: toCondition(fence),
                wanted: Effect.succeed(version)
              })
              .pipe(Effect.asVoid, refuse)
          ),
        moveLabel: ({ fence, label, slug, version }) =>
          presets
            .moveLabel({
              principal,
              slug,
              label,
              condition: toCondition(fence),
              wanted: Effect.succeed(version)
            })
            .pipe(Effect.asVoid, refuse),
        removeLabel: ({ fence, label, slug }) =>
          presets
            .removeLabel({ principal, slug, label, condition: toCondition(fence) })
            .pipe(Effect.asVoid, refuse),
        versions: (slug) => reading(histories.versions(slug)),
        moves: (of) => reading(histories.moves(of)),
        erase: (wish) => writing(histories.erase(wish)),
        remove: (slug) => writing(histories.remove(slug)),
        ...protections
      })
    })
  )
