/**
 * The HTTP API of Verbatim: the API as a value, the server over the services, and the client.
 */
export { Api } from "./Api.ts"
export {
  KeyManagement,
  OperatorAuthentication,
  PresetAuthentication,
  SpeechAuthentication,
  TranscriptionAuthentication,
  UsageAuthentication
} from "./Authentication.ts"
export {
  Authenticator,
  AuthenticatorError,
  type Shown,
  Unauthenticated
} from "./Authenticator.ts"
export * as Client from "./Client.ts"
export { CrossOrigins, type Origins, originHeaders } from "./CrossOrigin.ts"
export { toErrorBody } from "./EdgeAnswer.ts"
export { KeyLimits } from "./KeyShare.ts"
export { httpTable } from "./metrics/HttpTable.ts"
export { type Begun, type MetricsOptions, metricsRoute } from "./metrics/MetricsRoute.ts"
export { isOurs, type Prefix, toPrefix } from "./Prefix.ts"
export { PresetFailures } from "./preset/PresetFailures.ts"
export { PresetParameterRules } from "./preset/PresetParameters.ts"
export { requestIdHeader, toRequestId } from "./RequestId.ts"
export { answer, handlers, layer, type RouteOptions, routes, serve } from "./Server.ts"
export { Health, type HealthReport } from "./system/Health.ts"
export { isAnswered, makeHealthParts } from "./system/HealthParts.ts"
export { watching } from "./system/Watching.ts"
export { UnreadLimits } from "./UnreadBody.ts"
export { toLedgerView } from "./usage/LedgerAnswers.ts"
export { toUsageView } from "./usage/UsageAnswers.ts"
export { KeyFailures } from "./workspace/KeyFailures.ts"
export { WorkspaceParameterRules } from "./workspace/WorkspaceParameters.ts"
