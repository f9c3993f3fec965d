/**
 * Lists the known models. Sizes and checksums are those of pinned revisions, and are confirmed by
 * independent projects that pin the same files. All other files are refused.
 */
import { posix } from "node:path"
import { Option, Schema, Struct } from "effect"
import { Model, type ModelFile } from "./Model.ts"

/** The models, in the order of the list that users see. */
export type Catalogue = ReadonlyArray<Model>

type Role = ModelFile["role"]

type SizeAndHash = readonly [byteLength: number, sha256: string]

/** A model with files in a single folder on a hub; each file is listed by its role. */
interface Row extends Omit<Model, "files"> {
  readonly folder: string
  readonly files: Readonly<Partial<Record<Role, SizeAndHash>>>
  /** Returns the path of a file in the folder. */
  readonly pathOf?: (role: Role) => string
}

/** sherpa-onnx exports models with 8-bit weights under these names. */
const exportedName = (role: Role): string =>
  role === "tokens" ? "tokens.txt" : `${role}.int8.onnx`

const toModel = ({ files, folder, pathOf = exportedName, ...model }: Row): Model => ({
  ...model,
  files: Struct.keys(files).map((role) => {
    const [byteLength = 0, sha256 = ""] = files[role] ?? []
    const path = pathOf(role)
    return { role, name: posix.basename(path), byteLength, sha256, location: `${folder}/${path}` }
  })
})

/** The token file that every multilingual Whisper model uses. */
const whisperTokens: SizeAndHash = [
  816_730,
  "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"
]

/** Describes a Whisper model at a given revision. */
const whisper = (name: string, revision: string) => ({
  name,
  kind: "whisper" as const,
  licence: "MIT",
  folder: `/csukuangfj/sherpa-onnx-whisper-${name}/resolve/${revision}`,
  pathOf: (role: Role) => `${name}-${exportedName(role)}`
})

/** Describes a Moonshine model at a given revision. Both models use the same tokenizer. */
const moonshine = (size: string, revision: string) => ({
  name: `moonshine-${size}`,
  kind: "moonshine" as const,
  licence: "MIT",
  languages: ["en"],
  folder: `/onnx-community/moonshine-${size}-ONNX/resolve/${revision}`,
  pathOf: (role: Role) => moonshineFiles[role] ?? role
})

const moonshineFiles: Readonly<Partial<Record<Role, string>>> = {
  encoder: "onnx/encoder_model_quantized.onnx",
  decoder: "onnx/decoder_model_merged_quantized.onnx",
  tokens: "tokenizer.json"
}

const moonshineTokens: SizeAndHash = [
  3_761_754,
  "7b913404bdd039af4756783218af4440bc07fb7d6d8258d677e34f95b3ec416f"
]

/** The folder of a hub that contains the voice models of each revision. */
const voiceModels = "/csukuangfj/speaker-embedding-models/resolve"

/**
 * The European languages that Parakeet v3's model card lists, except Maltese, which Verbatim does
 * not accept.
 */
const european = [
  ...["bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu"],
  ...["it", "lt", "lv", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "uk"]
]

const rows: ReadonlyArray<Row> = [
  {
    ...whisper("tiny", "65176e2deb88badc814a94058666cadccc29b61c"),
    description: "Whisper tiny: fastest, for tests and clear English",
    files: {
      encoder: [12_937_772, "d24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434"],
      decoder: [89_855_401, "d2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925"],
      tokens: whisperTokens
    }
  },
  {
    ...whisper("base", "bb53ee204431c90d314c1cc08d28d23e5b7927cc"),
    description: "Whisper base: small, all languages",
    files: {
      encoder: [29_120_534, "0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11"],
      decoder: [130_672_026, "9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d"],
      tokens: whisperTokens
    }
  },
  {
    ...whisper("small", "8f3c18b358db4d1f2fc1eae49d75cd20989e4309"),
    description: "Whisper small: better, about three times as slow as base",
    files: {
      encoder: [112_442_483, "4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9"],
      decoder: [262_226_114, "acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee"],
      tokens: whisperTokens
    }
  },
  {
    ...whisper("medium", "8c31d28503847560985df21f90e14f0c736e075e"),
    description: "Whisper medium: good, slow without many cores",
    files: {
      encoder: [374_196_283, "1c54582b4d829de0089f6cb63bbbdb3bf7555398bacaf855fbecf1a84dfd193e"],
      decoder: [571_059_257, "595d00a338a365a7bfa0ca7f296cabc639583bef770ab6130df90f49a6412747"],
      tokens: whisperTokens
    }
  },
  {
    ...whisper("turbo", "2ca6ff69fc878651b770880507669577ac41c2ff"),
    description: "Whisper large-v3-turbo: the best whisper here",
    files: {
      encoder: [674_716_297, "b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b"],
      decoder: [361_080_764, "20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547"],
      tokens: whisperTokens
    }
  },
  {
    name: "parakeet-110m",
    kind: "transducer",
    description: "NVIDIA Parakeet TDT 110M: English, fast, word timestamps",
    licence: "CC-BY-4.0",
    languages: ["en"],
    // The files come from a copy on a hub, because sherpa-onnx's release contains them only as an
    // archive.
    folder:
      "/punitd/sherpa-onnx-nemo-parakeet_tdt_transducer_110m-en-36000-int8/resolve/" +
      "66a4fa70643dc7ce25c9b38b2f87e1b35ddad33d",
    files: {
      encoder: [131_113_202, "0f35509ddeb9b39002fb077d979a9fe74f06eb0bc4dd5c34f512f82e5111d657"],
      decoder: [3_955_863, "f7c331c5504c2e593c76ed22b728e3f554af6c4a383dde862e719ced08b1da19"],
      joiner: [1_411_403, "bf7dff69e9f2cdbe9943d70da358f38b361c115ba0105bae7e908e0d6ec782f6"],
      tokens: [9_953, "450e56bd2f036fe5b6aa821865838cc5aa9d8b0106134ce9a9ba0664abe6cd10"]
    }
  },
  {
    name: "parakeet-v3",
    kind: "transducer",
    description: "NVIDIA Parakeet TDT 0.6B v3: European languages, word timestamps",
    licence: "CC-BY-4.0",
    languages: european,
    folder:
      "/csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8/resolve/" +
      "2bda32ec70b097a55adaa07d9a7173915b43cc78",
    files: {
      encoder: [652_184_281, "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247"],
      decoder: [11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
      joiner: [6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
      tokens: [93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"]
    }
  },
  {
    name: "sense-voice",
    kind: "sense-voice",
    description: "SenseVoice: Chinese, Japanese and Korean, fast, word timestamps",
    licence: "FunASR",
    // The model also knows English and Cantonese, which is treated as Chinese.
    languages: ["zh", "ja", "ko"],
    folder:
      "/csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17/resolve/" +
      "2365baeacb507f821a0c8120fcee3d484dba7a07",
    files: {
      model: [239_233_841, "c71f0ce00bec95b07744e116345e33d8cbbe08cef896382cf907bf4b51a2cd51"],
      tokens: [315_894, "f449eb28dc567533d7fa59be34e2abca8784f771850c78a47fb731a31429a1dc"]
    }
  },
  {
    ...moonshine("tiny", "a6da1241cd305dcd64eab1edbd615f2bb9aabb95"),
    description: "Moonshine tiny: English, the smallest model here",
    files: {
      encoder: [7_937_661, "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a"],
      decoder: [20_243_286, "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367"],
      tokens: moonshineTokens
    }
  },
  {
    ...moonshine("base", "b1e9b6aae3c3c7298f10c3798393fdf38e8fbbad"),
    description: "Moonshine base: English, as good as Whisper base, and 2.4 times smaller",
    files: {
      encoder: [20_513_063, "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751"],
      decoder: [42_498_870, "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3"],
      tokens: moonshineTokens
    }
  },
  // Models that distinguish voices, for any recogniser. The first installed model is used.
  {
    name: "titanet-small",
    kind: "embedding",
    description: "NVIDIA TitaNet small: tells voices apart, trained on English",
    licence: "CC-BY-4.0",
    folder: `${voiceModels}/0743f301363dec56491a490f6d6cbc9d67f9a3bf`,
    files: {
      model: [40_257_283, "ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e"]
    },
    pathOf: () => "nemo_en_titanet_small.onnx"
  },
  {
    name: "embedding",
    kind: "embedding",
    description: "3D-Speaker ERes2Net: tells voices apart",
    licence: "Apache-2.0",
    folder: `${voiceModels}/8be2a75c9ed7a590538b268e46fbb65e1aa9d208`,
    files: {
      model: [39_593_761, "1a331345f04805badbb495c775a6ddffcdd1a732567d5ec8b3d5749e3c7a5e4b"]
    },
    pathOf: () => "3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx"
  }
]

/** The models that this version knows. */
export const builtIn: Catalogue = rows.map(toModel)

/** The name of the voice model that is installed with every speech model. */
export const voiceModelName = "embedding"

const decodeText = Schema.decodeOption(Schema.fromJsonString(Schema.Array(Model)))

/** The name of the catalogue file next to the models, which adds or replaces models. */
export const fileName = "catalogue.json"

/** Parses a catalogue of models. Returns none if the text is not a catalogue. */
export const fromText = (text: string): Option.Option<Catalogue> => decodeText(text)

/** Merges two catalogues. Models in `upper` replace models of the same name in the other one. */
export const mergeCatalogues = (upper: Catalogue, lower: Catalogue): Catalogue => {
  const names = new Set(upper.map(({ name }) => name))
  return [...lower.filter(({ name }) => !names.has(name)), ...upper]
}

/** Finds a model by name. */
export const find = (catalogue: Catalogue, name: string): Option.Option<Model> =>
  Option.fromUndefinedOr(catalogue.find((model) => model.name === name))
