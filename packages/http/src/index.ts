/**
 * The HTTP API of Verbatim: the API as a value, and the server over the services.
 */
export { Api } from "./contract/Api.ts"
export {
  KeyManagement,
  OperatorAuthentication,
  PresetAuthentication,
  SpeechAuthentication,
  TranscriptionAuthentication,
  UsageAuthentication
} from "./contract/Authentication.ts"
export { ParameterRules } from "./contract/Parameters.ts"
export { toLedgerView, toUsageView } from "./contract/UsageApi.ts"
export {
  Authenticator,
  AuthenticatorError,
  type Identity,
  type Operator,
  operator,
  type Shown,
  Unauthenticated
} from "./serve/auth/Authentication.ts"
export { KeyLimits } from "./serve/auth/KeyShare.ts"
export { UnreadLimits } from "./serve/body/WrittenAnswer.ts"
export { CrossOrigins, type Origins, originHeaders } from "./serve/edge/CrossOrigin.ts"
export { toErrorBody } from "./serve/edge/EdgeAnswer.ts"
export { isOurs, type Prefix, toPrefix } from "./serve/edge/Mount.ts"
export { requestIdHeader, toRequestId } from "./serve/edge/Observation.ts"
export { httpTable } from "./serve/metrics/HttpTable.ts"
export { type Begun, type MetricsOptions, metricsRoute } from "./serve/metrics/MetricsRoute.ts"
export { answer, handlers, layer, type RouteOptions, routes, serve } from "./serve/Server.ts"
export { Health, type HealthReport, isAnswered, makeHealthParts } from "./serve/system/Health.ts"
export { watching } from "./serve/system/SystemHandlers.ts"
