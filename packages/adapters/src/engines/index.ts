/** Exports wrappers that combine or extend engines. */

export * as ChannelSpeakers from "./ChannelSpeakers.ts"
export * as EngineInstallation from "./EngineInstallation.ts"
export { cacheFolder } from "./EngineInstallation.ts"
export * as FallbackTranscriber from "./FallbackTranscriber.ts"
export * as Wave from "./pieces/Wave.ts"
export * as SubstituteTranscriber from "./SubstituteTranscriber.ts"
