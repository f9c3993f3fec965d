/**
 * Workspaces, their keys, their balance and their webhook secrets.
 */
export {
  ApiKey,
  ApiKeyId,
  acceptableToken,
  findForbiddenScope,
  hasLabelScope,
  type Issuer,
  isAcceptableToken,
  isAllowed,
  isLabelScope,
  isOfKind,
  isScope,
  isValidAt,
  KeyHash,
  KeyKind,
  KeyName,
  type KeyOrder,
  kindScopes,
  type LabelScope,
  mayManageKeys,
  type Principal,
  type Scope,
  scopes,
  toLabelScope,
  usePrecision
} from "./ApiKey.ts"
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
export * from "./OperatorKey.ts"
export * from "./RetentionRule.ts"
export {
  BalanceMillis,
  checkPeriod,
  dayMillis,
  dayOf,
  isSufficient,
  timeOfDay,
  toAmount,
  toMinutes,
  toUsageTime,
  UsageBy,
  type UsageRow,
  type UsageSubject,
  type UsageTime,
  usageDaysDefault,
  usageDaysMax,
  usageRowMax
} from "./Usage.ts"
export {
  DefaultSecrets,
  SecretText,
  secretMax,
  secretsFrom,
  WebhookSecret,
  WebhookSecretId
} from "./WebhookSecret.ts"
export {
  createWorkspace,
  deletionMin,
  Event,
  edges,
  isTerminal,
  State,
  toUserId,
  transition,
  UserId,
  Workspace,
  WorkspaceId
} from "./Workspace.ts"
export {
  ExternalId,
  endDeletion,
  SettableStatus,
  statusOf,
  WorkspaceChange,
  WorkspaceName,
  WorkspaceStatus
} from "./WorkspaceChange.ts"
