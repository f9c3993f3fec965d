/** The variables of engines, requests, webhooks and the first start, as rows. */
import { dialectNames } from "@verbatim/adapters/openai"
import { ModelSource } from "@verbatim/adapters/whisper"
import { acceptableToken, secretMax } from "@verbatim/core/workspace"
import { summarizerNames, transcriberNames } from "../EngineNames.ts"
import type { Part } from "./Variable.ts"

const oneOf = (names: ReadonlyArray<string>): string => `one of ${names.join(", ")}`

const serverUrl = "a URL like https://api.openai.com/v1"

const serverKey = "at most 512 printable ASCII characters without spaces"

const engines = {
  heading: "Engines",
  variables: [
    {
      name: "TRANSCRIBER",
      unset: "auto",
      does:
        "engines in order of preference, such as `whisper,openai,pocketsphinx`: the first that " +
        "is ready and takes the work",
      expected: `one or more of ${transcriberNames.join(", ")}, in order, separated by commas`
    },
    {
      name: "SUMMARIZER",
      unset: "auto",
      does: "`openai` or `lexrank`; `auto` is `openai` where a model for summaries is named",
      expected: oneOf(summarizerNames)
    },
    {
      name: "MODEL",
      unset: "base",
      does: "the model that recognises"
    },
    {
      name: "MODELS",
      unset: { words: "`models` in the cache" },
      does: "the directory of models"
    },
    {
      name: "MODEL_SOURCE",
      unset: "hub:https://huggingface.co",
      does: "where models are fetched: a hub, or the URL of a directory of models",
      expected: ModelSource.expected
    },
    {
      name: "OPENAI_BASE_URL",
      unset: "https://api.openai.com/v1",
      does: "any server that speaks the protocol, even a private one: `http://localhost:11434/v1`",
      expected: serverUrl
    },
    {
      name: "OPENAI_API_KEY",
      unset: { words: "none" },
      does: "its key",
      expected: serverKey
    },
    {
      name: "OPENAI_TRANSCRIPTION_MODEL",
      unset: "whisper-1",
      does: "the model that recognises there",
      expected: "the name of a model"
    },
    {
      name: "OPENAI_DIALECT",
      unset: "openai",
      does: "`whisper.cpp` or `faster-whisper` for those servers",
      expected: oneOf(dialectNames)
    },
    {
      name: "OPENAI_UPLOAD_MB",
      unset: "25",
      does: "longer audio is cut where it is quiet",
      // The megabyte of the file systems: the smaller one is below a limit however that is read.
      range: { minimum: 1, maximum: 1_000 }
    },
    {
      name: "OPENAI_SUMMARY_MODEL",
      unset: { words: "`gpt-4o-mini`" },
      does: "the model that sums up",
      expected: "the name of a model"
    },
    {
      name: "OPENAI_SUMMARY_PART_KB",
      unset: "12",
      does: "the text in one request; about 4 KB of English for 1,000 tokens",
      // From a window of 2,048 tokens to one of a million.
      range: { minimum: 2, maximum: 4_096 }
    },
    {
      name: "OPENAI_SUMMARY_BASE_URL",
      unset: { words: "`VERBATIM_OPENAI_BASE_URL`" },
      does: "where summaries are made elsewhere",
      expected: serverUrl
    },
    {
      name: "OPENAI_SUMMARY_API_KEY",
      unset: { words: "none; the other key where the address is the same" },
      does: "the key of that server; the other key does not go there",
      expected: serverKey
    }
  ]
} as const satisfies Part

const requests = {
  heading: "Requests and webhooks",
  variables: [
    {
      name: "MAX_FILE_MB",
      unset: "200",
      does: "the largest file, uploaded or behind a URL; a whole request may have 4 MB more",
      // 100 GB is a year of speech; more is a typo.
      range: { minimum: 1, maximum: 100_000 }
    },
    {
      name: "TEMPLATES",
      unset: { words: "none" },
      does: "a JSON file: template name → parameters; those of a request win"
    },
    {
      name: "ALLOW_NETWORKS",
      unset: "",
      does: "private networks that downloads and webhooks may reach, such as `10.0.0.0/8`",
      expected: "networks like 10.0.0.0/8 or fd00::/8, separated by commas"
    },
    {
      name: "WEBHOOK_SECRET",
      unset: { words: "none" },
      does:
        "signs webhooks (Standard Webhooks): `whsec_…`, several separated by spaces while " +
        "rotating; workspaces may have their own",
      expected: `whsec_ and base64 of 24 to 64 bytes, or ${secretMax} such at most, with spaces`
    }
  ]
} as const satisfies Part

const firstStart = {
  heading: "The first start",
  variables: [
    {
      name: "BOOTSTRAP_MANAGEMENT_KEY",
      unset: { words: "none; without both keys, both are made and printed" },
      does: "the key for presets of a fresh store",
      expected: acceptableToken
    },
    {
      name: "BOOTSTRAP_INFERENCE_KEY",
      unset: { words: "none; without both keys, both are made and printed" },
      does: "the key for transcriptions of a fresh store",
      expected: acceptableToken
    },
    {
      name: "BOOTSTRAP_OPERATOR_KEY",
      unset: { words: "none" },
      does:
        "a key that manages workspaces. It is looked for at every start, and added where it is " +
        "new; one that was revoked stays revoked",
      expected: acceptableToken
    },
    {
      name: "BOOTSTRAP_MINUTES",
      unset: "600",
      does: "the minutes of a fresh store; they may have decimals",
      // Ten million minutes are nineteen years, and still exact in milliseconds.
      range: { minimum: 0, maximum: 10_000_000, hasDecimals: true }
    }
  ]
} as const satisfies Part

export const workParts = [engines, requests, firstStart] as const
