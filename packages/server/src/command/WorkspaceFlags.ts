/**
 * What people and hosts call a workspace, as flags and arguments.
 */
import { ExternalId, WorkspaceName } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"

const expected = () => "1 to 255 characters"

/** Its name, for people. */
export const nameOf = Flag.String("name").pipe(
  Flag.withDescription("What people call the workspace"),
  Flag.filter(Schema.is(WorkspaceName), expected)
)

/** The host's own name for it, which no other one has. */
export const externalIdFlag = Flag.String("external-id").pipe(
  Flag.withDescription("The host's own name for it, for example the id of a customer"),
  Flag.filter(Schema.is(ExternalId), expected),
  Flag.optional
)

/** The same where it stands for the workspace. */
export const externalIdArgument = Argument.String("external-id").pipe(
  Argument.withDescription("The host's own name for the workspace"),
  Argument.filter(Schema.is(ExternalId), expected)
)
