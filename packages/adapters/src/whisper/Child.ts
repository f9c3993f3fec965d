/**
 * The program of the child process: answers requests, and keeps the model loaded between requests.
 * The process ends when the server disconnects.
 */
import type { PieceResult } from "@verbatim/core/transcription"
import { mergeKeywords, toHotWords } from "./Keywords.ts"
import {
  type Answer,
  type Given,
  type Request,
  type RequestAnswer,
  sampleRate,
  type Work
} from "./Protocol.ts"
import { segmentsOf, toSegments, wordsOf } from "./ResultSegments.ts"
import type { RecognitionResult } from "./Sherpa.ts"
import {
  type Audio,
  detectSpeech,
  load,
  loadBiased,
  makeVoiceprints,
  open
} from "./SherpaModels.ts"
import { toVoiceRanges } from "./SpeechPieces.ts"
import { missingToken } from "./Tokens.ts"

/**
 * Sends a message to the server. Resolves when the server has received it, because exiting would
 * lose messages that are still being sent.
 */
const send = (answer: Answer): Promise<void> =>
  new Promise((resolve) => {
    // If the server is gone, the promise resolves in a later turn of the event loop, so that the
    // process notices the disconnection first.
    const next = () => setImmediate(resolve)
    if (process.send === undefined || !process.connected) next()
    else process.send(answer, undefined, undefined, next)
  })

const answer = ({ number }: Pick<Request, "number">, answer: RequestAnswer): Promise<void> =>
  send({ _tag: "Answered", number, answer })

/** Decodes a piece again with keywords, and corrects misheard keywords. */
const recogniseKeywords = async (
  plain: RecognitionResult,
  { settings, samples }: { readonly settings: Given<"Recognise">; readonly samples: Float32Array }
): Promise<PieceResult> => {
  const { keywords, pieceMillis } = settings
  const recogniser = await loadBiased(settings)
  const stream = recogniser.createStream(toHotWords(keywords))
  stream.acceptWaveform({ samples, sampleRate })
  const biased = wordsOf(await recogniser.decodeAsync(stream), pieceMillis)
  const words = mergeKeywords({ plain: wordsOf(plain, pieceMillis), biased }, keywords)
  return { segments: segmentsOf(words) }
}

const recogniseText = async (
  settings: Given<"Recognise">,
  samples: Float32Array
): Promise<PieceResult> => {
  const { keywords, model, pieceMillis } = settings
  const recogniser = await load(settings)
  const stream = recogniser.createStream()
  stream.acceptWaveform({ samples, sampleRate })
  const result = await recogniser.decodeAsync(stream)
  if (result.tokens.includes(missingToken)) {
    throw new Error("the model returned a token that its tokenizer does not have")
  }
  // Hot words crash models that are not transducers. A piece without words stays empty.
  const areUsed = model.kind === "transducer" && toHotWords(keywords) !== ""
  if (areUsed && result.tokens.length > 0) return recogniseKeywords(result, { settings, samples })
  // SenseVoice returns a token, such as `<|zh|>`.
  const language = result.lang.replace(/^<\|(.*)\|>$/, "$1")
  return {
    ...(language !== "" && { language }),
    segments: toSegments(result, pieceMillis)
  }
}

/** Recognises a piece, and computes voiceprints from its speech. */
const recognise = async (
  settings: Given<"Recognise">,
  { audio, onProgress }: { readonly audio: Audio; readonly onProgress: () => Promise<void> }
): Promise<PieceResult> => {
  const { threads, voiceModel } = settings
  const samples = audio.read(settings.piece)
  const result = await recogniseText(settings, samples)
  if (voiceModel === null) return result
  const ranges = toVoiceRanges(result.segments)
  const options = { samples, ranges, onProgress }
  return { ...result, voiceprints: await makeVoiceprints({ threads, voiceModel }, options) }
}

const workers: {
  readonly [Kind in keyof Work]: (
    request: Request<Kind>,
    options: { readonly audio: Audio; readonly onProgress: () => Promise<void> }
  ) => Promise<Work[Kind]["result"]>
} = { Detect: detectSpeech, Recognise: recognise }

const work = async <Kind extends keyof Work>(request: Request<Kind>): Promise<RequestAnswer> => {
  const audio = open(request.audioPath)
  const onProgress = () => answer(request, { _tag: "Working" })
  const result = await workers[request._tag](request, { audio, onProgress })
  audio.close()
  return { _tag: "Done", result }
}

const failure = (cause: unknown): RequestAnswer => ({
  _tag: "Failed",
  detail: cause instanceof Error ? cause.message : String(cause)
})

// The process kills itself, because a normal exit would wait for other threads for minutes.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (request: Request) => {
  work(request)
    .catch(failure)
    .then((outcome) => answer(request, outcome))
})
await send({ _tag: "Started" })
