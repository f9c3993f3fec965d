/** Tests an API client that runs in an Effect program and uses that program's services. */
import { assert, it } from "@effect/vitest"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import { MediaIdentity, Presets, Services, Workspaces } from "@verbatim/core/services"
import { client, platform, settings } from "@verbatim/embed/effect"
import { Effect, Layer } from "effect"
import { newFolder } from "../open/Opened.ts"

const services = () =>
  Services.layer.pipe(
    Layer.provideMerge(MediaIdentity.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        Memory.layer,
        Filesystem.layer({ directory: newFolder() }),
        Net.layer({ allowedNetworks: [] })
      )
    ),
    Layer.provideMerge(Layer.merge(platform, settings({})))
  )

it.live("handles calls with the program's services", () =>
  Effect.gen(function* () {
    const verbatim = yield* client
    const made = yield* Effect.promise(() =>
      verbatim.as({ workspace: "acme" }).presets.createFromResponses("notes", { model: "a/b" })
    )
    const { firstUserId: userId, id } = yield* (yield* Workspaces).ensure("acme")
    assert.strictEqual(made.workspace_id, id)
    const account = yield* Effect.promise(() => verbatim.workspaces.get(id))
    assert.strictEqual(account.external_id, "acme")
    const principal = { kind: "inference" as const, workspaceId: id, userId }
    const { preset } = yield* (yield* Presets).get({ principal, slug: "notes" })
    assert.strictEqual(preset.id, made.id)
    const answer = yield* Effect.promise(() =>
      verbatim.fetch(new Request("http://app.test/v1/presets"))
    )
    assert.strictEqual(answer.status, 401)
  }).pipe(Effect.provide(services()))
)
