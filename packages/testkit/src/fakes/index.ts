/**
 * Ports that a test controls (engines, remote media, webhooks and lost responses), and metrics for
 * a single test.
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
