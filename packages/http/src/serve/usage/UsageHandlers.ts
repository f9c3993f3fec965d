/**
 * Answers the operations on usage: one service call each, and what their refusals are on the wire.
 */
import type { WorkspaceStoreError } from "@verbatim/core/ports"
import type { InvalidRequest } from "@verbatim/core/schema"
import { readPage, Usage, WorkspaceNotFound } from "@verbatim/core/services"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { type UsageAuthentication, UsageReader } from "../../contract/Authentication.ts"
import { makePresetError, type PresetError } from "../../contract/ErrorBody.ts"
import { readLedgerPage } from "../../contract/usage/LedgerParameters.ts"
import { ownLedgerMissing } from "../../contract/usage/UsageErrors.ts"
import { readWanted } from "../../contract/usage/UsageParameters.ts"
import { readWorkspaceId } from "../workspace/WorkspaceReads.ts"
import { toLedgerPage, toUsagePage } from "./UsagePages.ts"

type Reader = UsageReader["Service"]

/** Which workspace a reader may see of the one it asks for: the bearer of a key its own. */
const narrow = (wanted: WorkspaceId | null, { workspaceId }: Reader) => {
  if (workspaceId === null || wanted === workspaceId) return Effect.succeed(wanted)
  return wanted === null
    ? Effect.succeed(workspaceId)
    : Effect.fail(new WorkspaceNotFound({ id: wanted }))
}

type Refusal = InvalidRequest | PresetError<404> | WorkspaceNotFound | WorkspaceStoreError

const notFound = (message: string, { userId }: Reader) =>
  Effect.fail(makePresetError(404, { message, userId }))

/** Answers a reader, or refuses it. */
const answerReader = <A>(answer: (reader: Reader) => Effect.Effect<A, Refusal>) =>
  Effect.flatMap(UsageReader, (reader) => {
    const { userId } = reader
    return answer(reader).pipe(
      Effect.catchTags({
        InvalidRequest: ({ message }) => Effect.fail(makePresetError(400, { message, userId })),
        WorkspaceNotFound: () => notFound("Workspace not found", reader),
        WorkspaceStoreError: Effect.die
      })
    )
  })

/** The operations over the service `Usage`. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"verbatim", "usage">,
  never,
  Usage | UsageAuthentication
> = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* Usage

    const read = (query: unknown) =>
      answerReader(
        Effect.fnUntraced(function* (reader) {
          const wanted = yield* readWanted(query)
          const workspaceId = yield* narrow(wanted.workspaceId, reader)
          const page = yield* readPage(wanted.limit, (limit) =>
            usage.read({ ...wanted, workspaceId, limit })
          )
          return toUsagePage(page, wanted)
        })
      )

    /** The ledger of the workspace that is named, or of one's own. */
    const ledger = (query: unknown, id?: string) =>
      answerReader(
        Effect.fnUntraced(function* (reader) {
          const { before, limit } = yield* readLedgerPage(query)
          const named = id === undefined ? null : yield* readWorkspaceId(id)
          const workspaceId = yield* narrow(named, reader)
          if (workspaceId === null) return yield* notFound(ownLedgerMissing, reader)
          const page = yield* readPage(limit, (lineMax) =>
            usage.ledger({ workspaceId, before, limit: lineMax })
          )
          return toLedgerPage(page)
        })
      )

    return handlers
      .handle("read", ({ query }) => read(query))
      .handle("ledger", ({ params, query }) => ledger(query, params.id))
      .handle("ownLedger", ({ query }) => ledger(query))
  })
)
