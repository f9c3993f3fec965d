/** Recognises speech with models on this machine, in child processes. */
export * as Catalogue from "./Catalogue.ts"
export * from "./Model.ts"
export * as ModelChoice from "./ModelChoice.ts"
export { ModelError } from "./ModelError.ts"
export * as ModelFolder from "./ModelFolder.ts"
export * as ModelInstaller from "./ModelInstaller.ts"
export * as ModelSource from "./ModelSource.ts"
export * from "./WhisperLayer.ts"
