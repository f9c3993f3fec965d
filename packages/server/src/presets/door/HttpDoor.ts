/**
 * The presets of the workspace of a key, over the HTTP API of a server: what a laptop or a CI has.
 */
import {
  type HeldVersion,
  PresetDiff,
  PresetStatus,
  PresetVersionId,
  toRequestBody
} from "@verbatim/core/preset"
import { type FormatName, fromWireFormat, toWireFormat, WireFormat } from "@verbatim/core/request"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { answerOf, readAs } from "./HttpAnswers.ts"
import { makeCalls, type ServerAddress } from "./HttpCalls.ts"
import { makeHistories } from "./HttpHistories.ts"
import { makeProtections } from "./HttpProtections.ts"
import { type Added, DoorRefusal, type Fence, type Pointed, PresetDoor } from "./PresetDoor.ts"
import { readPresets } from "./PresetPages.ts"

const Preset = Schema.Struct({
  slug: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: PresetStatus,
  updated_at: Schema.String,
  workspace_id: Schema.String
})

const Config = Schema.Record(Schema.String, Schema.Json)

const Version = Schema.Struct({
  id: PresetVersionId,
  version: Schema.Int,
  /** Older servers send neither `format` nor `wins`, and none does with a preset. */
  format: Schema.optionalKey(WireFormat),
  system_prompt: Schema.NullOr(Schema.String),
  config: Config,
  wins: Schema.optionalKey(Schema.Array(Schema.String)),
  erased_at: Schema.optionalKey(Schema.String)
})

const Label = Schema.Struct({ label: Schema.String, version: Schema.Int })

const PresetPage = Schema.Struct({ data: Schema.Array(Preset), total_count: Schema.Int })

const Counted = Schema.Struct({ total_count: Schema.Int })

const Found = answerOf(Schema.Struct({ ...Preset.fields, designated_version: Version }))

const Made = answerOf(
  Schema.Struct({ designated_version: Version, staged_version: Schema.optionalKey(Version) })
)

const toAdded = ({ data }: typeof Made.Type): Added => {
  const { config, id, version } = data.staged_version ?? data.designated_version
  return { config, id, version }
}

const Resolved = answerOf(
  Schema.Struct({
    request: Config,
    left_out: Schema.Array(Schema.Struct({ field: Schema.String, reason: Schema.String }))
  })
)

const paths: Readonly<Record<FormatName, string>> = {
  responses: "/presets/{slug}/responses",
  chatCompletions: "/presets/{slug}/chat/completions",
  messages: "/presets/{slug}/messages"
}

const toHeaders = (fence: Fence | undefined): Readonly<Record<string, string>> => {
  if (fence === undefined) return {}
  return fence === null ? { "if-none-match": "*" } : { "if-match": `"${fence}"` }
}

const toHeld = (view: typeof Version.Type): HeldVersion => ({
  id: view.id,
  version: view.version,
  format: view.format === undefined ? null : fromWireFormat(view.format),
  systemPrompt: view.system_prompt,
  config: view.config,
  wins: view.wins ?? []
})

/** Makes the door of a server. */
export const layer = (address: ServerAddress): Layer.Layer<PresetDoor, DoorRefusal> =>
  Layer.effect(
    PresetDoor,
    Effect.gen(function* () {
      const call = yield* makeCalls(address)

      const preset = (slug: string) =>
        call("GET", { path: "/presets/{slug}", slug }).pipe(readAs(Found))

      const labelsOf = (slug: string) =>
        call("GET", { path: "/presets/{slug}/labels", slug }).pipe(
          readAs(answerOf(Schema.Array(Label))),
          Effect.map(({ data }) => new Map(data.map(({ label, version }) => [label, version])))
        )

      const latestOf = (slug: string) =>
        call("GET", { path: "/presets/{slug}/versions", slug, query: { limit: 1 } }).pipe(
          readAs(Counted),
          Effect.map(({ total_count }) => total_count)
        )

      const versionOf = (slug: string, version: number) =>
        call("GET", { path: `/presets/{slug}/versions/${version}`, slug }).pipe(
          readAs(answerOf(Version))
        )

      const numberOf = Effect.fnUntraced(function* ({ point, slug }: Pointed) {
        if (typeof point === "number") return point
        if (point === "latest") return yield* latestOf(slug)
        if (point === "designated") return (yield* preset(slug)).data.designated_version.version
        const version = (yield* labelsOf(slug)).get(point)
        if (version !== undefined) return version
        const sentence = `The preset ${slug} has no label ${point}`
        return yield* new DoorRefusal({ reason: "NotFound", sentence })
      })

      const versionAt = Effect.fnUntraced(function* ({ point, slug }: Pointed) {
        const number = yield* numberOf({ point, slug })
        const { data } = yield* versionOf(slug, number)
        if (data.erased_at !== undefined) {
          const sentence = `The content of version ${number} of the preset ${slug} was erased`
          return yield* new DoorRefusal({ reason: "Refused", sentence })
        }
        return toHeld(data)
      })

      const find = Effect.fnUntraced(function* (slug: string) {
        const { data } = yield* preset(slug)
        const [labels, latestVersion] = yield* Effect.all([labelsOf(slug), latestOf(slug)])
        const designatedVersion = data.designated_version.version
        const numbers = new Set([designatedVersion, latestVersion, ...labels.values()])
        // One that cannot be read right now is not one that is not there.
        const versions = yield* Effect.forEach(numbers, (number) => versionOf(slug, number))
        const whole = versions.filter((version) => version.data.erased_at === undefined)
        const { description, name, status, workspace_id: workspaceId } = data
        const { slug: of } = data
        return Option.some({
          ...{ slug: of, workspaceId, name, description, status },
          ...{ designatedVersion, latestVersion, labels },
          versions: whole.map((version) => toHeld(version.data))
        })
      })

      return PresetDoor.of({
        workspaceId: call("GET", { path: "/presets", query: { limit: 1 } }).pipe(
          readAs(PresetPage),
          Effect.map(({ data: [first] }) => first?.workspace_id ?? null)
        ),
        list: (filter) =>
          readPresets((page) =>
            call("GET", { path: "/presets", query: { ...filter, ...page } }).pipe(
              readAs(PresetPage),
              Effect.map(({ data, total_count: total }) => ({
                presets: data.map(({ name, slug, status, updated_at: updatedAt }) => ({
                  ...{ slug, name, status, updatedAt }
                })),
                total
              }))
            )
          ),
        find: (slug) =>
          find(slug).pipe(
            Effect.catchIf(
              ({ reason }) => reason === "NotFound",
              () => Effect.succeedNone
            )
          ),
        version: versionAt,
        diff: (from, to) =>
          call("GET", {
            path: "/presets/{slug}/diff",
            slug: from.slug,
            query: {
              from: from.point,
              to: to.point,
              ...(to.slug === from.slug ? {} : { slug: to.slug })
            }
          }).pipe(
            readAs(answerOf(PresetDiff)),
            Effect.map(({ data }) => data)
          ),
        resolve: ({ at, format, reference, request }) =>
          call("POST", {
            path: "/presets/{slug}/resolve",
            slug: reference,
            query: {
              format: format && toWireFormat(format),
              at: at && DateTime.formatIso(at)
            },
            body: request
          }).pipe(
            readAs(Resolved),
            Effect.map(({ data: { left_out: leftOut, request } }) => ({ request, leftOut }))
          ),
        add: ({ comment, content, fence, key, slug, stage }) =>
          call("POST", {
            path: paths[content.format],
            slug,
            query: {
              ...(stage ? { stage: "true" } : {}),
              ...(content.wins.length === 0 ? {} : { wins: content.wins.join(",") }),
              comment: comment ?? undefined
            },
            headers: { ...toHeaders(fence), "idempotency-key": key },
            body: toRequestBody(content)
          }).pipe(readAs(Made), Effect.map(toAdded)),
        edit: ({ parts: { systemPrompt, ...parts }, slug }) =>
          call("POST", {
            path: "/presets/{slug}/versions",
            slug,
            body: { ...parts, system_prompt: systemPrompt }
          }).pipe(readAs(Made), Effect.map(toAdded)),
        revise: ({ change, fence, slug }) =>
          Effect.asVoid(
            call("PATCH", {
              path: "/presets/{slug}",
              slug,
              headers: toHeaders(fence),
              body: change
            })
          ),
        designate: ({ fence, slug, version }) =>
          Effect.asVoid(
            call("PUT", {
              path: "/presets/{slug}/designated-version",
              slug,
              headers: toHeaders(fence),
              body: { version }
            })
          ),
        moveLabel: ({ fence, label, slug, version }) =>
          Effect.asVoid(
            call("PUT", {
              path: `/presets/{slug}/labels/${label}`,
              slug,
              headers: toHeaders(fence),
              body: { version }
            })
          ),
        removeLabel: ({ fence, label, slug }) =>
          Effect.asVoid(
            call("DELETE", {
              path: `/presets/{slug}/labels/${label}`,
              slug,
              headers: toHeaders(fence)
            })
          ),
        ...makeHistories(call),
        ...makeProtections(call)
      })
    })
  )
