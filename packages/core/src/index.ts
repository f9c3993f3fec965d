/**
 * The entry point for hosts: the services, the worker, the ports, and every refusal. The types of
 * the domain have their own entry points, for example `@verbatim/core/job`.
 */

export { IdempotencyConflict } from "./domain/idempotency/IdempotencyKey.ts"
export {
  ConditionFailed,
  ManagementKeyRequired,
  PresetInactive,
  PresetNotFound,
  VersionNotFound
} from "./domain/preset/index.ts"
export { InvalidRequest } from "./domain/schema/index.ts"
export {
  FileEmpty,
  FileTooLarge,
  InvalidParameter,
  UnsupportedExtension,
  UrlUnreachable,
  UrlUnresolved
} from "./domain/transcription/index.ts"
export * from "./ports/index.ts"
export * from "./services/index.ts"
export * from "./worker/index.ts"
