/**
 * Calls in the form of OpenAI's audio API: what they ask for, and how they are answered.
 */
export * from "./SpeechAnswer.ts"
export { ownModel, SpeechModels, usualModels } from "./SpeechModels.ts"
export { SpeechRefused } from "./SpeechRefused.ts"
export { renderSpeech, toEvents } from "./SpeechRendering.ts"
export { decodeSpeech, Granularity, SpeechForm, type SpeechRequest } from "./SpeechRequest.ts"
