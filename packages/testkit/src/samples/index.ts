/**
 * Values to test with: ids, jobs, presets, transcripts, awkward texts, and the boundaries of
 * bodies.
 */

export type { Boundary } from "./boundaries/Boundary.ts"
export { chatCompletions } from "./boundaries/ChatBoundaries.ts"
export { conversations, messages } from "./boundaries/ConversationBoundaries.ts"
export { boundaries } from "./boundaries/ResponsesBoundaries.ts"
export {
  apiKeyId,
  correctionId,
  deliveryId,
  jobId,
  keyHash,
  leaseToken,
  noticeId,
  presetId,
  upTo,
  userId,
  versionId,
  webhookSecretId,
  workspaceId
} from "./Ids.ts"
export { correctInTurn, reading, recognised } from "./SampleCorrection.ts"
export {
  attemptReleased,
  attemptStarted,
  deliveryStarted,
  givenUp,
  onDelivery,
  onKeeping,
  onNotice,
  onTranscription,
  receiverAccepted,
  retryScheduled,
  summaryProduced,
  transcriptProduced,
  transcriptWarned
} from "./SampleEvent.ts"
export {
  commitOf,
  creation,
  failures,
  makeAnnouncedJob,
  makeFinishedJob,
  makeNoticedJob,
  makeOldJob,
  makeOwingJob,
  makeUploadJob,
  media,
  request
} from "./SampleJob.ts"
export { canonical, jsonObject } from "./SampleJson.ts"
export * from "./SamplePreset.ts"
export { awkwardTexts } from "./SampleText.ts"
export { largeTranscript, transcript, transcriptOf } from "./SampleTranscript.ts"
export {
  apiKey,
  credit,
  foundFirst,
  foundWorkspace,
  instant,
  later,
  operatorKey,
  webhookSecret,
  withWorkspace
} from "./SampleWorkspace.ts"
export {
  claimIds,
  claimJobs,
  commitJob,
  fullLanes,
  insertJob,
  readLedger,
  renewedIds,
  roomOf,
  storedJob,
  storedWhole,
  storeTime
} from "./Stored.ts"
