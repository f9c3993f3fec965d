/**
 * Generates small models for every role, which sherpa-onnx loads like real ones. These models can
 * only tell loud from quiet and high from low audio, and always return the same words.
 */
import { createHash } from "node:crypto"
import type { Model } from "@verbatim/adapters/whisper"

/** A field of a message: its number and its value. */
type Field = readonly [number: number, value: number | string | Uint8Array]

const varint = (value: number): Uint8Array => {
  const bytes: Array<number> = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...bytes, Number(rest)])
}

const message = (...fields: ReadonlyArray<Field>): Uint8Array =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [varint(number << 3), varint(value)]
      const bytes = typeof value === "string" ? Buffer.from(value) : value
      return [varint((number << 3) | 2), varint(bytes.byteLength), bytes]
    })
  )

/** The numbers of value types in the ONNX format. */
const types = { float: 1, int32: 6, int64: 7, bool: 9 } as const

/** The dimensions of a value. A dimension with a name instead of a number can have any size. */
type Shape = ReadonlyArray<number | string>

/** Builds an input or an output of a graph. */
const value = (name: string, shape: Shape, type: keyof typeof types = "float"): Uint8Array => {
  const dims = shape.map(
    (dim): Field => [1, message(typeof dim === "number" ? [1, dim] : [2, dim])]
  )
  const tensor = message([1, types[type]], [2, message(...dims)])
  return message([1, name], [2, message([1, tensor])])
}

/** Builds a constant of the model. */
const constant = (
  name: string,
  shape: ReadonlyArray<number>,
  numbers: Float32Array | BigInt64Array
): Uint8Array =>
  message(
    ...shape.map((dim): Field => [1, dim]),
    [2, numbers instanceof Float32Array ? types.float : types.int64],
    [8, name],
    [9, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)]
  )

/** Builds a constant of one or more whole numbers. */
const whole = (name: string, ...numbers: ReadonlyArray<number>): Uint8Array =>
  constant(name, [numbers.length], BigInt64Array.from(numbers.map(BigInt)))

/** Builds a constant of a single number. */
const scalar = (name: string, number: number): Uint8Array =>
  constant(name, [], Float32Array.of(number))

/** The attributes of a step: whole numbers, or lists of them. */
type Attributes = Readonly<Record<string, number | ReadonlyArray<number>>>

const attribute = (name: string, content: number | ReadonlyArray<number>): Uint8Array =>
  typeof content === "number"
    ? message([1, name], [3, content], [20, 2])
    : message([1, name], ...content.map((each): Field => [8, each]), [20, 7])

/** Builds one step: `name = operation(inputs)`. */
const step = (
  name: string,
  operation: string,
  inputs: ReadonlyArray<string>,
  attributes: Attributes = {}
): Uint8Array =>
  message(
    ...inputs.map((input): Field => [1, input]),
    [2, name],
    [3, name],
    [4, operation],
    ...Object.entries(attributes).map(([key, content]): Field => [5, attribute(key, content)])
  )

/** Encodes a model as the bytes of an ONNX file. */
const model = (graph: {
  readonly inputs: ReadonlyArray<Uint8Array>
  readonly outputs: ReadonlyArray<Uint8Array>
  readonly constants: ReadonlyArray<Uint8Array>
  readonly steps: ReadonlyArray<Uint8Array>
  readonly properties: Readonly<Record<string, string | number>>
}): Uint8Array => {
  const content = message(
    ...graph.steps.map((each): Field => [1, each]),
    [2, "graph"],
    ...graph.constants.map((each): Field => [5, each]),
    ...graph.inputs.map((each): Field => [11, each]),
    ...graph.outputs.map((each): Field => [12, each])
  )
  return message(
    [1, 8],
    [7, content],
    [8, message([2, 13])],
    ...Object.entries(graph.properties).map(
      ([key, property]): Field => [14, message([1, key], [2, String(property)])]
    )
  )
}

/** Language codes of the small Whisper model. Verbatim does not accept `haw`. */
const codes = ["en", "de", "haw", "ja"]

const eot = 20
const sot = 21
const firstLanguage = 22
const translate = 40
const transcribe = 41
const noSpeech = 42
const noTimestamps = 43
const firstTime = noTimestamps + 1
const vocabulary = firstTime + 1_501

/** Returns the token of a timestamp. Timestamps are in steps of 20 ms. */
const time = (seconds: number): number => firstTime + Math.round(seconds / 0.02)

/** The next token at each position: three start tokens, and then two segments. */
const followers = [
  ...[firstLanguage, transcribe, time(0.2), 0, 1, time(0.8), time(0.8), 2, 3, time(1.2), eot]
]

/** The words that `tokens.txt` contains. */
const words = [" good", " morning", " every", "one"]

/** `tokens.txt` for the small Whisper model. */
export const whisperTokens = (): Uint8Array =>
  Buffer.from(words.map((word, id) => `${Buffer.from(word).toString("base64")} ${id}\n`).join(""))

/** The language that the model detects if the job requests none. */
const tableOf = (detected: string): Float32Array => {
  const rows = 64
  const table = new Float32Array(rows * vocabulary).fill(-20)
  for (let row = 0; row < rows; row++) table[row * vocabulary + (followers[row] ?? eot)] = 20
  table[firstLanguage + codes.indexOf(detected)] = 30
  return table
}

/** The encoder, which returns two numbers that describe the audio. */
export const whisperEncoder = (hasAttention = false): Uint8Array =>
  model({
    inputs: [value("mel", [1, 80, "T"])],
    outputs: [value("n_layer_cross_k", [1, 1, "T", 80]), value("n_layer_cross_v", [1, 1, "T", 80])],
    constants: [whole("first", 0)],
    steps: [
      step("turned", "Transpose", ["mel"], { perm: [0, 2, 1] }),
      step("n_layer_cross_k", "Unsqueeze", ["turned", "first"]),
      step("n_layer_cross_v", "Unsqueeze", ["turned", "first"])
    ],
    properties: {
      model_type: "whisper-tiny",
      n_mels: 80,
      n_audio_ctx: 1_500,
      n_audio_state: 80,
      n_audio_head: 1,
      n_audio_layer: 1,
      n_vocab: vocabulary,
      n_text_ctx: 64,
      n_text_state: 1,
      n_text_head: 1,
      n_text_layer: 1,
      sot_sequence: `${sot},${firstLanguage},${transcribe}`,
      all_language_tokens: codes.map((_, index) => firstLanguage + index).join(","),
      all_language_codes: codes.join(","),
      sot,
      sot_index: 0,
      eot,
      blank_id: 19,
      is_multilingual: 1,
      no_speech: noSpeech,
      non_speech_tokens: "18,19",
      transcribe,
      translate,
      sot_prev: 38,
      sot_lm: 39,
      no_timestamps: noTimestamps,
      ...(hasAttention && { n_alignment_heads: 1 })
    }
  })

/** Frames of 20 ms in the audio that Whisper's attention covers. */
const attentionFrames = 1_500

/** The frames to which the model attends before it returns each of the four words. */
const attended = [
  { row: 3, from: 10, to: 25 },
  { row: 4, from: 25, to: 40 },
  { row: 7, from: 40, to: 50 },
  { row: 8, from: 50, to: 60 }
]

const attentionTable = (): Float32Array => {
  const table = new Float32Array(64 * attentionFrames).fill(0.0001)
  for (const { from, row, to } of attended) {
    table.fill(1, row * attentionFrames + from, row * attentionFrames + to)
  }
  return table
}

/** The additional parts of a decoder that was exported with its attention. */
const attention = {
  outputs: [value("cross_attention_weights", [1, 1, "n", attentionFrames])],
  constants: [
    constant("attentions", [64, attentionFrames], attentionTable()),
    whole("outer", 0, 1)
  ],
  steps: [
    step("attended", "Gather", ["attentions", "positions"]),
    step("cross_attention_weights", "Unsqueeze", ["attended", "outer"])
  ]
}

/**
 * The decoder: a table of the token that follows at each position. With attention, also returns the
 * audio to which each position attends.
 */
export const whisperDecoder = (detected = "en", hasAttention = false): Uint8Array =>
  model({
    inputs: [
      value("tokens", [1, "n"], "int64"),
      value("in_n_layer_self_k_cache", [1, 1, "c", 1]),
      value("in_n_layer_self_v_cache", [1, 1, "c", 1]),
      value("n_layer_cross_k", [1, 1, "T", 80]),
      value("n_layer_cross_v", [1, 1, "T", 80]),
      value("offset", [1], "int64")
    ],
    outputs: [
      value("logits", [1, "n", vocabulary]),
      value("out_n_layer_self_k_cache", [1, 1, "c", 1]),
      value("out_n_layer_self_v_cache", [1, 1, "c", 1]),
      ...(hasAttention ? attention.outputs : [])
    ],
    constants: [
      constant("table", [64, vocabulary], tableOf(detected)),
      ...(hasAttention ? attention.constants : []),
      whole("first", 0),
      constant("zero", [], BigInt64Array.of(0n)),
      constant("one", [], BigInt64Array.of(1n))
    ],
    steps: [
      step("shape", "Shape", ["tokens"]),
      step("count", "Gather", ["shape", "one"]),
      step("indexes", "Range", ["zero", "count", "one"]),
      step("positions", "Add", ["indexes", "offset"]),
      step("rows", "Gather", ["table", "positions"]),
      step("logits", "Unsqueeze", ["rows", "first"]),
      step("out_n_layer_self_k_cache", "Identity", ["in_n_layer_self_k_cache"]),
      step("out_n_layer_self_v_cache", "Identity", ["in_n_layer_self_v_cache"]),
      ...(hasAttention ? attention.steps : [])
    ],
    properties: {}
  })

/**
 * The tokens of the small SenseVoice model: the language, an emotion, an audio event, a text
 * format, and the words.
 */
const senseVoiceWords = [
  ...["<blk>", "<|ja|>", "<|NEUTRAL|>", "<|Speech|>", "<|withitn|>"],
  ...["早", "上", "好", "。", "\u2581OK"]
]

/** The token of each 60 ms frame. The first four frames come before the audio. */
const senseVoiceFrames = [1, 2, 3, 4, 0, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9]

/** `tokens.txt` for the small SenseVoice model. */
export const senseVoiceTokens = (): Uint8Array =>
  Buffer.from(senseVoiceWords.map((word, id) => `${word} ${id}\n`).join(""))

/** The SenseVoice model: a table of the token for each frame. */
export const senseVoice = (): Uint8Array => {
  const [frames, width] = [512, senseVoiceWords.length]
  const table = new Float32Array(frames * width).fill(-20)
  for (let at = 0; at < frames; at++) table[at * width + (senseVoiceFrames[at] ?? 0)] = 20
  const languages = { lang_auto: 0, lang_zh: 3, lang_en: 4, lang_yue: 7, lang_ja: 11, lang_ko: 12 }
  const features = 560
  return model({
    inputs: [
      value("x", [1, "T", features]),
      value("x_length", [1], "int32"),
      value("language", [1], "int32"),
      value("text_norm", [1], "int32")
    ],
    outputs: [value("logits", [1, "U", width])],
    constants: [
      constant("table", [frames, width], table),
      constant("zero", [], BigInt64Array.of(0n)),
      constant("one", [], BigInt64Array.of(1n)),
      constant("four", [], BigInt64Array.of(4n)),
      whole("first", 0)
    ],
    steps: [
      step("shape", "Shape", ["x"]),
      step("sounding", "Gather", ["shape", "one"]),
      step("count", "Add", ["sounding", "four"]),
      step("frames", "Range", ["zero", "count", "one"]),
      step("rows", "Gather", ["table", "frames"]),
      step("logits", "Unsqueeze", ["rows", "first"])
    ],
    properties: {
      ...{ vocab_size: width, lfr_window_size: 7, lfr_window_shift: 6, normalize_samples: 0 },
      ...{ with_itn: 14, without_itn: 15, ...languages },
      neg_mean: new Array(features).fill(0).join(","),
      inv_stddev: new Array(features).fill(1).join(",")
    }
  })
}

/** The tokens of the small transducer, which form one word: "Phebe" or, less likely, "Phoebe". */
const transducerWords = ["\u2581Ph", "e", "oe", "be", "<blk>"]

/** `tokens.txt` for the small transducer. */
export const transducerTokens = (): Uint8Array =>
  Buffer.from(transducerWords.map((word, id) => `${word} ${id}\n`).join(""))

/**
 * The scores of the tokens that can follow each token, and of advancing by zero frames or by one.
 */
const transducerWidth = transducerWords.length + 2
const scoresAfter: ReadonlyArray<Readonly<Record<number, number>>> = [
  ...[{ 1: 3, 2: 2.2 }, { 3: 3 }, { 3: 3 }, { 4: 3 }, { 0: 3 }]
]

/** The encoder, which returns the audio in frames of 80 ms. */
export const transducerEncoder = (): Uint8Array =>
  model({
    inputs: [value("audio_signal", ["B", 80, "T"]), value("length", ["B"], "int64")],
    outputs: [value("outputs", ["B", 80, "U"]), value("encoded_lengths", ["B"], "int64")],
    constants: [whole("eight", 8)],
    steps: [
      step("outputs", "AveragePool", ["audio_signal"], { kernel_shape: [8], strides: [8] }),
      step("encoded_lengths", "Div", ["length", "eight"])
    ],
    properties: {
      ...{ vocab_size: transducerWords.length - 1, subsampling_factor: 8, normalize_type: "NA" },
      ...{ pred_rnn_layers: 1, pred_hidden: 1, feat_dim: 80, url: "tiny-tdt" }
    }
  })

/** The decoder: a table of the scores that follow each token. */
export const transducerDecoder = (): Uint8Array =>
  model({
    inputs: [
      value("targets", ["B", "U"], "int32"),
      value("target_length", ["B"], "int32"),
      value("s0", [1, "B", 1]),
      value("s1", [1, "B", 1])
    ],
    outputs: [
      value("outputs", ["B", transducerWidth, "U"]),
      value("prednet_lengths", ["B"], "int32"),
      value("n0", [1, "B", 1]),
      value("n1", [1, "B", 1])
    ],
    constants: [
      constant(
        "table",
        [transducerWords.length, transducerWidth],
        Float32Array.from(
          scoresAfter.flatMap((scores) => [
            ...transducerWords.map((_, token) => scores[token] ?? -8),
            ...[-5, 5]
          ])
        )
      )
    ],
    steps: [
      step("rows", "Gather", ["table", "targets"]),
      step("outputs", "Transpose", ["rows"], { perm: [0, 2, 1] }),
      step("prednet_lengths", "Identity", ["target_length"]),
      step("n0", "Identity", ["s0"]),
      step("n1", "Identity", ["s1"])
    ],
    properties: {}
  })

/** The joiner, which uses only the scores of the decoder. */
export const transducerJoiner = (): Uint8Array =>
  model({
    inputs: [
      value("encoder_outputs", ["B", 80, "T"]),
      value("decoder_outputs", ["B", transducerWidth, "U"])
    ],
    outputs: [value("outputs", ["B", 1, 1, transducerWidth])],
    constants: [whole("one", 1)],
    steps: [
      step("turned", "Transpose", ["decoder_outputs"], { perm: [0, 2, 1] }),
      step("outputs", "Unsqueeze", ["turned", "one"])
    ],
    properties: {}
  })

/** The tokens of the small Moonshine model: three special ones, and the words. */
const moonshineWords = ["<unk>", "<s>", "</s>", "\u2581good", "\u2581day"]

/** The token that follows each token. */
const moonshineFollowers = [2, 3, 2, 4, 2]

/** `tokenizer.json` for the small Moonshine model, with this many tokens. */
export const moonshineTokenizer = (count = moonshineWords.length): Uint8Array => {
  const vocab = Object.fromEntries(moonshineWords.slice(0, count).map((word, id) => [word, id]))
  return Buffer.from(JSON.stringify({ model: { vocab }, added_tokens: [] }))
}

/** The encoder, which returns the audio itself. */
export const moonshineEncoder = (): Uint8Array =>
  model({
    inputs: [value("input_values", [1, "n"])],
    outputs: [value("last_hidden_state", [1, "n", 1])],
    constants: [whole("last", 2)],
    steps: [step("last_hidden_state", "Unsqueeze", ["input_values", "last"])],
    properties: {}
  })

/**
 * The decoder: a table of the token that follows each token. If the cache does not have exactly
 * four dimensions, the process that loads the model crashes.
 */
export const moonshineDecoder = (cacheShape: ReadonlyArray<number | string>): Uint8Array => {
  const width = moonshineWords.length
  const table = new Float32Array(width * width).fill(-20)
  for (const [token, follower] of moonshineFollowers.entries()) table[token * width + follower] = 20
  const caches = ["decoder.key", "decoder.value", "encoder.key", "encoder.value"]
  return model({
    inputs: [
      value("input_ids", [1, 1], "int64"),
      value("encoder_hidden_states", [1, "n", 1]),
      ...caches.map((cache) => value(`past_key_values.0.${cache}`, cacheShape)),
      value("use_cache_branch", [1], "bool")
    ],
    outputs: [
      value("logits", [1, 1, width]),
      ...caches.map((cache) => value(`present.0.${cache}`, cacheShape))
    ],
    constants: [constant("table", [width, width], table)],
    steps: [
      step("logits", "Gather", ["table", "input_ids"]),
      ...caches.map((cache) =>
        step(`present.0.${cache}`, "Identity", [`past_key_values.0.${cache}`])
      )
    ],
    properties: {}
  })
}

/** A speech detector with Silero VAD v5's interface, which treats loud audio as speech. */
export const vad = (): Uint8Array =>
  model({
    inputs: [value("input", [1, "n"]), value("state", [2, 1, 128]), value("sr", [1], "int64")],
    outputs: [value("output", [1, 1]), value("stateN", [2, 1, 128])],
    constants: [scalar("quiet", 0.02), scalar("steepness", 1_000)],
    steps: [
      step("size", "Abs", ["input"]),
      step("peak", "ReduceMax", ["size"], { axes: [1], keepdims: 1 }),
      step("above", "Sub", ["peak", "quiet"]),
      step("steep", "Mul", ["above", "steepness"]),
      step("output", "Sigmoid", ["steep"]),
      step("stateN", "Identity", ["state"])
    ],
    properties: {}
  })

/** The voice model, which represents a voice by its mean spectrum. */
export const embedding = (): Uint8Array =>
  model({
    inputs: [value("x", ["N", "T", 80])],
    outputs: [value("embedding", ["N", 80])],
    constants: [],
    steps: [
      step("level", "ReduceMean", ["x"], { axes: [2], keepdims: 1 }),
      step("shape", "Sub", ["x", "level"]),
      step("embedding", "ReduceMean", ["shape"], { axes: [1], keepdims: 0 })
    ],
    properties: {
      framework: "3d-speaker",
      language: "none",
      output_dim: 80,
      sample_rate: 16_000,
      normalize_samples: 1
    }
  })

/** The files of a model, by role. */
export type Files = Readonly<Record<string, readonly [name: string, content: Uint8Array]>>

/** Builds a catalogue entry for a model with these files. */
export const describeModel = (named: Pick<Model, "name" | "kind">, files: Files): Model => ({
  ...named,
  description: "small",
  licence: "none",
  files: Object.entries(files).map(([role, [name, content]]) => ({
    role: role as Model["files"][number]["role"],
    name,
    byteLength: content.byteLength,
    sha256: createHash("sha256").update(content).digest("hex"),
    location: `/${named.name}/${name}`
  }))
})
