/** Wrappers for any engine: engines put together from other engines. */
export * from "./CacheFolder.ts"
export * as ChannelSpeakers from "./ChannelSpeakers.ts"
export * as FallbackTranscriber from "./FallbackTranscriber.ts"
export * as Installing from "./Installing.ts"
export * as Wave from "./pieces/Wave.ts"
export * as StandIn from "./StandIn.ts"
export * as Watched from "./Watched.ts"
