/**
 * The child process: answers requests, and keeps the model loaded while it waits for the next one.
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
import { type Audio, detectSpeech, diarize, load, loadBiased, open } from "./SherpaModels.ts"

/**
 * Sends a message. Resolves when the server has received it, because an exit would lose messages
 * that are still being sent.
 */
const send = (answer: Answer): Promise<void> =>
  new Promise((resolve) => {
    // The callback runs in a later turn of the event loop, even if the server is gone; this is how
    // the child notices the server's end.
    const next = () => setImmediate(resolve)
    if (process.send === undefined || !process.connected) next()
    else process.send(answer, undefined, undefined, next)
  })

const answer = ({ number }: Pick<Request, "number">, answer: RequestAnswer): Promise<void> =>
  send({ _tag: "Answered", number, answer })

/** Recognises a piece. */
const recognise = async (
  { piece, pieceMillis, ...settings }: Given<"Recognise">,
  { audio }: { readonly audio: Audio }
): Promise<PieceResult> => {
  const { keywords, model } = settings
  const recogniser = await load(settings)
  const stream = recogniser.createStream()
  stream.acceptWaveform({ samples: audio.read(piece), sampleRate })
  const result = await recogniser.decodeAsync(stream)
  const hotWords = toHotWords(keywords)
  // A model of another kind would end the process, and a piece without words stays empty.
  if (model.kind === "transducer" && hotWords !== "" && result.tokens.length > 0) {
    const biasedRecogniser = await loadBiased(settings)
    const biasedStream = biasedRecogniser.createStream(hotWords)
    biasedStream.acceptWaveform({ samples: audio.read(piece), sampleRate })
    const biased = await biasedRecogniser.decodeAsync(biasedStream)
    const [plain, other] = [result, biased].map((each) => wordsOf(each, pieceMillis))
    const words = mergeKeywords({ plain: plain ?? [], biased: other ?? [] }, keywords)
    return { segments: segmentsOf(words) }
  }
  // SenseVoice returns a token, such as `<|zh|>`.
  const language = result.lang.replace(/^<\|(.*)\|>$/, "$1")
  return {
    ...(language !== "" && { language }),
    segments: toSegments(result, pieceMillis)
  }
}

const workers: {
  readonly [Kind in keyof Work]: (
    request: Request<Kind>,
    options: { readonly audio: Audio; readonly onProgress: () => Promise<void> }
  ) => Promise<Work[Kind]["result"]>
} = { Detect: detectSpeech, Recognise: recognise, Diarize: diarize }

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

// The process kills itself, because a normal exit would wait minutes for other threads.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (request: Request) => {
  work(request)
    .catch(failure)
    .then((outcome) => answer(request, outcome))
})
await send({ _tag: "Started" })
