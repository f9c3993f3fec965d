/** Files of this machine as jobs of a workspace of its own, for `verbatim transcribe`. */
import { basename } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Submissions, Workspaces } from "@verbatim/core/services"
import { withAcceptedExtension } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, FileSystem, Stream } from "effect"

/** Nobody is charged here: as many minutes as a year has. */
const ownMinutes = 525_600

/** The first workspace, which is founded where there is none. */
export const findOwner = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  yield* workspaces.found({ keys: [], minutes: ownMinutes })
  const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
  if (first === undefined) return yield* Effect.die("a founded store has no workspace")
  const { firstUserId, id } = first.workspace
  return { kind: "management" as const, workspaceId: id, userId: firstUserId }
})

/** The parameters of the create request, by their names on the wire. */
export type Parameters = Readonly<Record<string, ReadonlyArray<string> | boolean | number | string>>

/** Submits a file. It is streamed into the media store. */
export const submitFile = Effect.fnUntraced(function* (
  principal: Principal,
  { parameters, path }: { readonly path: string; readonly parameters: Parameters }
) {
  const submissions = yield* Submissions
  const fs = yield* FileSystem.FileSystem
  const file = {
    _tag: "File" as const,
    name: "file",
    filename: withAcceptedExtension(basename(path)),
    content: fs.stream(path)
  }
  const given = Object.entries(parameters).map(([name, value]) => ({
    _tag: "Parameter" as const,
    name,
    value
  }))
  return yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromIterable([...given, file])
  })
}, Effect.provide(NodeFileSystem.layer))
