/** Explains errors that an operator can fix. */
import { MediaStoreError } from "@verbatim/core/ports"
import { TokenUnacceptable, WebhookSecretsFull, WorkspaceNotFound } from "@verbatim/core/services"
import { codeOf, explainDatabaseError, fileReasonOf } from "@verbatim/embed/trouble"
import { Config, Effect, Option } from "effect"
import { HttpServerError } from "effect/http"
import { type Configuration, configuration, defaultHealthPort } from "../Configuration.ts"
import { schemaVariable } from "../DatabaseLocation.ts"
import { findMistakes } from "../SettingMistakes.ts"
import { TemplatesError } from "../Templates.ts"
import { Refusal } from "./Refusal.ts"

/** Reasons why a server cannot listen, keyed by Node's error codes. */
const listenReasons = (variable: string): Readonly<Record<string, string>> => ({
  EADDRINUSE: `another program is listening there. Choose another port with ${variable}`,
  EADDRNOTAVAIL: "this machine does not have that address (VERBATIM_HOST)",
  EACCES: `this user is not allowed to listen on that port (${variable})`,
  ENOTFOUND: "this host name has no address (VERBATIM_HOST)",
  EAI_AGAIN: "this host name cannot be resolved now (VERBATIM_HOST)"
})

const listenSentence = (error: HttpServerError.ServeError, settings: Configuration) => {
  const { healthPort, host, port, roles } = settings
  const code = codeOf(error.cause)
  const address = host.includes(":") ? `[${host}]` : host
  const [where, variable] = roles.has("http")
    ? [port, "VERBATIM_PORT or --port"]
    : [Option.getOrElse(healthPort, () => defaultHealthPort), "VERBATIM_HEALTH_PORT"]
  return `Cannot listen on ${address}:${where}: ${listenReasons(variable)[code] ?? code}.`
}

const mediaSentence = (error: MediaStoreError, settings: Configuration): string => {
  const { bucket, mediaDirectory } = settings
  if (Option.isSome(bucket)) return `The bucket ${bucket.value.bucket} cannot be used for media.`
  const reason = fileReasonOf(error) ?? "the file system refuses it"
  return `The media directory ${mediaDirectory} is not writable: ${reason}.`
}

/** Explains service errors that mean the same in every command. */
const serviceSentence = (error: unknown): string | undefined => {
  if (error instanceof TokenUnacceptable) return "The bootstrap keys must differ from each other."
  if (error instanceof WorkspaceNotFound) return `There is no workspace ${error.id}.`
  if (error instanceof WebhookSecretsFull) {
    return `The workspace already has ${error.max} webhook secrets. Remove one first.`
  }
  return undefined
}

/** Explains errors of the configured address, media store or database. */
const resourceSentence = (error: unknown, settings: Configuration): string | undefined => {
  if (error instanceof HttpServerError.ServeError) return listenSentence(error, settings)
  if (error instanceof MediaStoreError) return mediaSentence(error, settings)
  // The error of a store contains the error of its database.
  return explainDatabaseError(settings.database, error, schemaVariable)
}

const sentenceOf = (error: unknown, settings: Option.Option<Configuration>) => {
  if (error instanceof TemplatesError) return `Invalid configuration: ${error.sentence}`
  const sentence = serviceSentence(error)
  if (sentence !== undefined || Option.isNone(settings)) return sentence
  return resourceSentence(error, settings.value)
}

/** Explains errors that an operator can fix. Other errors stay unchanged and are shown in full. */
export const explainErrors = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(command, (error): Effect.Effect<never, E | Refusal> => {
    if (error instanceof Config.ConfigError) {
      return Effect.flatMap(findMistakes, (sentences) =>
        Effect.fail(new Refusal({ sentence: sentences.join("\n  ") }))
      )
    }
    return Effect.flatMap(Effect.option(configuration), (settings) => {
      const sentence = sentenceOf(error, settings)
      return Effect.fail(sentence === undefined ? error : new Refusal({ sentence }))
    })
  })
