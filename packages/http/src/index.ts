/** Verbatim's HTTP API: the definition of its operations, and the server that handles them. */
export { Api, mcpPath } from "./contract/Api.ts"
// A declaration file that mentions the type of `Api` needs these names.
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
  type Credentials,
  type Identity,
  type Operator,
  operator,
  Unauthenticated
} from "./serve/auth/Authentication.ts"
export { KeyLimits } from "./serve/auth/KeyShare.ts"
export { UnreadLimits } from "./serve/body/StreamedAnswer.ts"
export { CrossOrigins, type Origins, originHeaders } from "./serve/edge/CrossOrigin.ts"
export { toErrorBody } from "./serve/edge/ErrorAnswer.ts"
export { isApiRequest, type Prefix, ServesMcp, toPrefix } from "./serve/edge/Mount.ts"
export { httpTable, requestIdHeader, toRequestId } from "./serve/edge/RequestLogging.ts"
export {
  type MetricsOptions,
  metricsRoute,
  type StartedMetric
} from "./serve/metrics/MetricsRoute.ts"
export { answer, layer, type RouteOptions, routes, serve } from "./serve/Server.ts"
export { Health, type HealthReport, isAnswered, makeHealthParts } from "./serve/system/Health.ts"
export { serveHealth } from "./serve/system/SystemHandlers.ts"
