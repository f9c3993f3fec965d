/**
 * Workspaces, their keys, their balance and their webhook secrets.
 */
export * from "./ApiKey.ts"
export {
  fromText,
  Keywords,
  keywordLengthMax,
  keywordMax,
  keywordsLengthMax,
  keywordsRule,
  readKeywords
} from "./Keywords.ts"
export { isLabelName, LabelName, labelNameMax, reservedNames } from "./LabelName.ts"
export * from "./Limits.ts"
export * from "./RetentionRule.ts"
export * from "./Usage.ts"
export {
  DefaultSecrets,
  SecretText,
  secretMax,
  secretsFrom,
  WebhookSecret,
  WebhookSecretId
} from "./WebhookSecret.ts"
export * from "./Workspace.ts"
export {
  ExternalId,
  endDeletion,
  SettableStatus,
  statusOf,
  WorkspaceChange,
  WorkspaceName,
  WorkspaceStatus
} from "./WorkspaceChange.ts"
