/**
 * Engines put together from other engines.
 */
export * as FallbackTranscriber from "./FallbackTranscriber.ts"
