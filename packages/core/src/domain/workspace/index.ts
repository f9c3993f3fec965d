/**
 * Workspaces, their keys, their balance and their webhook secrets.
 */
export { ApiKey, ApiKeyId, acceptableToken, isAcceptableToken, KeyHash, KeyKind } from "./ApiKey.ts"
export { BalanceMillis, toMinutes } from "./Balance.ts"
export type { Principal } from "./Principal.ts"
export {
  DefaultSecrets,
  SecretText,
  secretMax,
  secretsFrom,
  WebhookSecret,
  WebhookSecretId
} from "./WebhookSecret.ts"
export { UserId, Workspace, WorkspaceId } from "./Workspace.ts"
