/**
 * What an adapter implements. Each port says what it promises beside its methods.
 */
export * from "./AudioDecoder.ts"
export * from "./JobStore.ts"
export * from "./MediaFetcher.ts"
export * from "./MediaStore.ts"
export * from "./PresetStore.ts"
export type * from "./Stores.ts"
export * from "./Summarizer.ts"
export * from "./Trace.ts"
export * from "./Transcriber.ts"
export * from "./WebhookSender.ts"
export * from "./WorkerRegistry.ts"
export * from "./WorkQueue.ts"
export * from "./WorkspaceStore.ts"
