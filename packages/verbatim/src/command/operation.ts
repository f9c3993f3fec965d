/**
 * What the operator's commands share: the store of the configuration, the workspace they mean, and
 * how they refuse.
 */
import { Migrations } from "@verbatim/adapters/sql"
import { MediaStoreError } from "@verbatim/core/ports"
import { TokenUnacceptable, WebhookSecretsFull, Workspaces } from "@verbatim/core/services"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Config, Effect, Option, Schema, Stream } from "effect"
import { CliError } from "effect/cli"
import { HttpServerError } from "effect/http"
import { SqlError } from "effect/sql"
import { operations } from "../Application.ts"
import { configuration } from "../Configuration.ts"
import { TemplatesError } from "../Templates.ts"

/** A command that cannot do what it was asked. The sentence is for the operator. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", { sentence: Schema.String }) {
  override get [CliError.userMessage](): string {
    return this.sentence
  }
}

/** Runs a command against the store that the configuration names. */
export const withStore = Effect.fnUntraced(function* <A, E, R>(command: Effect.Effect<A, E, R>) {
  const settings = yield* configuration
  if (settings.database._tag === "Memory") {
    return yield* new Refusal({ sentence: "A store in memory belongs to its server alone." })
  }
  return yield* Effect.provide(command, operations(settings))
})

/** Workspaces read at a time. */
const pageMax = 100

/** Every workspace, page by page. */
export const everyAccount = Stream.unwrap(
  Effect.map(Workspaces, (workspaces) =>
    Stream.paginate(null as WorkspaceId | null, (after) =>
      Effect.map(workspaces.accounts({ after, limit: pageMax }), (accounts) => {
        const last = accounts.length < pageMax ? undefined : accounts.at(-1)
        return [accounts, Option.fromUndefinedOr(last?.workspace.id)] as const
      })
    )
  )
)

/** The workspace with that id, or the only one. */
export const theWorkspace = Effect.fnUntraced(function* (id: Option.Option<string>) {
  const workspaces = yield* Workspaces
  if (Option.isSome(id)) return yield* namedWorkspace(id.value)
  const [only, ...others] = yield* workspaces.accounts({ after: null, limit: 2 })
  if (only === undefined) {
    const sentence = "There is no workspace yet: start the server once, it creates one."
    return yield* new Refusal({ sentence })
  }
  if (others.length > 0) {
    return yield* new Refusal({ sentence: "There are several workspaces: name one." })
  }
  return only.workspace
})

/** The workspace with that id. */
const namedWorkspace = Effect.fnUntraced(function* (id: string) {
  const workspaces = yield* Workspaces
  const unknown = new Refusal({ sentence: `There is no workspace ${id}.` })
  const valid = yield* Schema.decodeEffect(WorkspaceId)(id).pipe(Effect.mapError(() => unknown))
  const found = workspaces.account(valid)
  const { workspace } = yield* Effect.catchTag(found, "WorkspaceNotFound", () =>
    Effect.fail(unknown)
  )
  return workspace
})

/** `Expected …\n  at ["VERBATIM_PORT"]` becomes `VERBATIM_PORT: Expected …`. */
const readable = ({ cause }: Config.ConfigError): string =>
  cause.message.replace(/^SchemaError\(|\)$/g, "").replace(/^(.*)\n\s+at \["(\w+)"\]/gm, "$2: $1")

/** What the operator can check; the driver's own words may reveal more. */
const databaseSentence = ({ reason }: SqlError.SqlError): string => {
  switch (reason._tag) {
    case "ConnectionError":
      return "The database cannot be reached, or has no session left."
    case "AuthenticationError":
      return "The database refuses its user or the password."
    case "AuthorizationError":
      return "The user of the database may not do what is needed."
    default:
      return "The database cannot be opened or written."
  }
}

const sentenceOf = (error: unknown): string | undefined => {
  if (error instanceof Config.ConfigError) return `The configuration is wrong: ${readable(error)}`
  if (error instanceof TemplatesError) return `The configuration is wrong: ${error.sentence}`
  if (error instanceof HttpServerError.ServeError) {
    return "Cannot listen on the address: it may be in use, or not one of this machine."
  }
  if (error instanceof MediaStoreError) return "The directory for media cannot be written."
  if (error instanceof TokenUnacceptable) return "The two bootstrap keys must differ."
  if (error instanceof WebhookSecretsFull) {
    return `The workspace has ${error.max} webhook secrets already: remove one first.`
  }
  if (error instanceof Migrations.MigrationError) return error.message
  if (SqlError.isSqlError(error)) return databaseSentence(error)
  return undefined
}

/** Gives a sentence to failures that an operator can fix; the others stay as they are, and loud. */
export const explainErrors = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.mapError(command, (error) => {
    const sentence = sentenceOf(error)
    return sentence === undefined ? error : new Refusal({ sentence })
  })
