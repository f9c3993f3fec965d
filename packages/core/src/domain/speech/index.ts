/** Calls in OpenAI's audio format, and the responses to them. */
export * from "./SpeechAnswer.ts"
export { ownModel, SpeechModels, SpeechRefused, usualModels } from "./SpeechAnswer.ts"
export * from "./SpeechRendering.ts"
export { decodeSpeech, Granularity, SpeechForm, type SpeechRequest } from "./SpeechRequest.ts"
