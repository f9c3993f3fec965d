/**
 * Values to test with: ids, jobs, presets, transcripts, awkward texts, and the boundaries of
 * bodies.
 */

export type { Boundary } from "./boundaries/Boundary.ts"
export { chatCompletions } from "./boundaries/ChatBoundaries.ts"
export { conversations, messages } from "./boundaries/ConversationBoundaries.ts"
export { boundaries } from "./boundaries/ResponsesBoundaries.ts"
export * from "./Ids.ts"
export * from "./SampleAudio.ts"
export * from "./SampleCorrection.ts"
export * from "./SampleEvent.ts"
export * from "./SampleJob.ts"
export * from "./SampleJson.ts"
export * from "./SamplePreset.ts"
export * from "./SampleText.ts"
export * from "./SampleTranscript.ts"
export * from "./SampleWorkspace.ts"
export * from "./Stored.ts"
