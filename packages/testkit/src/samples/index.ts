/**
 * Test values such as ids, jobs, presets, transcripts and unusual strings, and a comparison of
 * recognised with spoken words.
 */

export * from "./Ids.ts"
export * from "./SampleAudio.ts"
export * from "./SampleEvent.ts"
export * from "./SampleJob.ts"
export * from "./SamplePreset.ts"
export * from "./SampleText.ts"
export * from "./SampleTranscript.ts"
export * from "./SampleWorkspace.ts"
export * from "./Stored.ts"
export * from "./WordErrors.ts"
