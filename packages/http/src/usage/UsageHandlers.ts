/**
 * Answers the operation on usage: one service call, and what its refusals are on the wire.
 */
import { Usage, WorkspaceNotFound } from "@verbatim/core/services"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { type UsageAuthentication, UsageReader } from "../Authentication.ts"
import { makePresetError } from "../ErrorBody.ts"
import { toPage } from "./UsageAnswers.ts"
import { readWanted, type Wanted } from "./UsageParameters.ts"

/** What a reader may see of what it asks for: the bearer of a key its own workspace. */
const narrow = (wanted: Wanted, { workspaceId }: UsageReader["Service"]) => {
  if (workspaceId === null || wanted.workspaceId === workspaceId) return Effect.succeed(wanted)
  return wanted.workspaceId === null
    ? Effect.succeed({ ...wanted, workspaceId })
    : Effect.fail(new WorkspaceNotFound({ id: wanted.workspaceId }))
}

/** The operation over the service `Usage`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "usage">,
  never,
  Usage | UsageAuthentication
> = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* Usage

    const read = Effect.fnUntraced(function* (query: unknown) {
      const reader = yield* UsageReader
      const { userId } = reader
      return yield* Effect.gen(function* () {
        const wanted = yield* narrow(yield* readWanted(query), reader)
        // One more shows that another page follows.
        const rows = yield* usage.read({ ...wanted, limit: wanted.limit + 1 })
        return toPage(rows, wanted)
      }).pipe(
        Effect.catchTags({
          InvalidRequest: ({ message }) => Effect.fail(makePresetError(400, { message, userId })),
          WorkspaceNotFound: () =>
            Effect.fail(makePresetError(404, { message: "Workspace not found", userId })),
          WorkspaceStoreError: Effect.die
        })
      )
    })

    return handlers.handle("read", ({ query }) => read(query))
  })
)
