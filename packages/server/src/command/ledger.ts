/**
 * `verbatim ledger`: what changed the balance of a workspace, line by line.
 */
import type { Answer } from "@verbatim/client"
import { usageRowMax } from "@verbatim/core/workspace"
import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { callEach } from "./ApiCalls.ts"
import { asOperator, operatorFlags } from "./ApiFlags.ts"
import { print, printable, theWorkspace, workspaceFlag } from "./operation.ts"

const flags = {
  workspace: workspaceFlag,
  last: Flag.Int("last").pipe(
    Flag.withDescription("The newest ones alone, as many as that; all of them if left out"),
    Flag.filter(
      (count) => count > 0,
      () => "a whole number above 0"
    ),
    Flag.withDefault(Number.POSITIVE_INFINITY)
  ),
  ...operatorFlags
}

type Line = Answer<"workspaces.ledger">["data"][number]

const shownLine = ({ at, credit_id, job_id, key_id, minutes }: Line): string =>
  [
    at,
    `${minutes.padStart(12)} minutes`,
    job_id === null ? `credit ${printable(credit_id ?? "")}` : `job ${job_id}`,
    ...(key_id === null ? [] : [`key ${key_id}`])
  ].join("  ")

/** The command. */
export const ledger = Command.make(
  "ledger",
  flags,
  Effect.fn(function* ({ json, last, url, workspace }) {
    const command = Effect.gen(function* () {
      const { id } = yield* theWorkspace(workspace)
      const limit = Math.min(last, usageRowMax)
      const lines = callEach(({ workspaces }) => workspaces.ledger(id, { limit }))
      yield* Stream.runForEach(Stream.take(lines, last), (line) => print(json, line, shownLine))
    })
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Show each charge and each credit of a workspace, newest first"))
