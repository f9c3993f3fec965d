/**
 * Workspaces, their keys, their balance and their webhook secrets.
 */
export {
  ApiKey,
  ApiKeyId,
  acceptableToken,
  isAcceptableToken,
  isValidAt,
  KeyHash,
  KeyKind,
  usePrecision
} from "./ApiKey.ts"
export { BalanceMillis, toAmount, toMinutes } from "./Balance.ts"
export { KeyName, type KeyOrder } from "./KeyOrder.ts"
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
export { LimitOwner, Limits, limitFields, limitRules, limitsOf, noLimits } from "./Limits.ts"
export { OperatorKey } from "./OperatorKey.ts"
export type { Principal } from "./Principal.ts"
export {
  DefaultRetention,
  noRetentionRule,
  RetentionRule,
  retentionDayMax,
  retentionFields,
  retentionRuleOf,
  ruleInForce
} from "./RetentionRule.ts"
export {
  findUngiven,
  type Giver,
  hasLabelScope,
  isAllowed,
  isLabelScope,
  isOfKind,
  isScope,
  kindScopes,
  type LabelScope,
  mayManageKeys,
  type Scope,
  scopes,
  toLabelScope
} from "./Scope.ts"
export {
  dayMillis,
  dayOf,
  judgeUsageTime,
  timeOfDay,
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
  GivenStatus,
  statusOf,
  WorkspaceChange,
  WorkspaceName,
  WorkspaceStatus
} from "./WorkspaceChange.ts"
