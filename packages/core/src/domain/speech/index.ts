/**
 * Calls in the form of OpenAI's audio API: what they ask for, and how they are answered.
 */
export * from "./SpeechAnswer.ts"
export { ownModel, SpeechModels, SpeechRefused, usualModels } from "./SpeechAnswer.ts"
export * from "./SpeechRendering.ts"
export { decodeSpeech, Granularity, SpeechForm, type SpeechRequest } from "./SpeechRequest.ts"
