/**
 * Ports with controls, for whatever a test must decide: engines, media of others, webhooks, lost
 * answers.
 */

export { calmScript, FakeEngines } from "./FakeEngines.ts"
export { FakeMedia, type RemoteFile } from "./FakeMedia.ts"
export { FakeWebhookSender, type Received } from "./FakeWebhookSender.ts"
export {
  Losses,
  loseOperatorKeyAnswers,
  losePresetAnswers,
  loseWorkspaceAnswers
} from "./LosingAnswers.ts"
