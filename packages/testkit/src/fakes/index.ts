/**
 * Ports with controls, for whatever a test must decide: engines, media of others, webhooks, lost
 * answers; and metrics that a test has for itself.
 */

export { type CountedSeries, counted, countedSeries, withRegistry } from "./CountedMetrics.ts"
export { calmScript, FakeEngines } from "./FakeEngines.ts"
export { FakeMedia, type RemoteFile } from "./FakeMedia.ts"
export { FakeWebhookSender, type Received } from "./FakeWebhookSender.ts"
export {
  Losses,
  loseOperatorKeyAnswers,
  losePresetAnswers,
  loseWorkspaceAnswers
} from "./LosingAnswers.ts"
