/** The variables of engines, requests, webhooks and the first start, as rows. */
import type { Part } from "./Variable.ts"

const engines = {
  heading: "Engines",
  variables: [
    {
      name: "TRANSCRIBER",
      unset: "auto",
      does:
        "engines in order of preference, such as `whisper,openai,pocketsphinx`: the first that " +
        "is ready and takes the work",
      value: "openai",
      seen: "`GET /health` names it in `transcriber`"
    },
    {
      name: "SUMMARIZER",
      unset: "auto",
      does: "`openai` or `lexrank`; `auto` is `openai` where a model for summaries is named",
      value: "openai",
      seen: "`POST /v1/transcribe` with a summary: a language model is asked for it"
    },
    {
      name: "MODEL",
      unset: "base",
      does: "the model that recognises",
      value: "tailored",
      seen: "`GET /health` names it in `transcriber`"
    },
    {
      name: "MODELS",
      unset: { words: "`models` in the cache" },
      does: "the directory of models",
      seen: "`POST /v1/transcribe` is transcribed by the model that is there"
    },
    {
      name: "MODEL_SOURCE",
      unset: "hub:https://huggingface.co",
      does: "where models are fetched: a hub, or the URL of a directory of models",
      seen: "the model that `GET /health` names was fetched there"
    },
    {
      name: "OPENAI_BASE_URL",
      unset: "https://api.openai.com/v1",
      does: "any server that speaks the protocol, even a private one: `http://localhost:11434/v1`",
      seen: "`GET /health`: the engine is ready although there is no key for OpenAI"
    },
    {
      name: "OPENAI_API_KEY",
      unset: { words: "none" },
      does: "its key",
      value: "sk-unusual",
      seen: "`POST /v1/transcribe`: the server that transcribes is shown it"
    },
    {
      name: "OPENAI_TRANSCRIPTION_MODEL",
      unset: "whisper-1",
      does: "the model that recognises there",
      value: "unusual-hearing",
      seen: "`POST /v1/transcribe`: the server that transcribes is asked for it"
    },
    {
      name: "OPENAI_DIALECT",
      unset: "openai",
      does: "`whisper.cpp` or `faster-whisper` for those servers",
      value: "faster-whisper",
      seen: "`POST /v1/transcribe`: the server that transcribes gets the field `vad_filter`"
    },
    {
      name: "OPENAI_UPLOAD_MB",
      unset: "25",
      does: "longer audio is cut where it is quiet",
      value: "1",
      seen: "`POST /v1/transcribe` with a minute of audio: it arrives in three files"
    },
    {
      name: "OPENAI_SUMMARY_MODEL",
      unset: { words: "`gpt-4o-mini`" },
      does: "the model that sums up",
      value: "unusual-writing",
      seen: "`POST /v1/transcribe` with a summary: the server that sums up is asked for it"
    },
    {
      name: "OPENAI_SUMMARY_PART_KB",
      unset: "12",
      does: "the text in one request; about 4 KB of English for 1,000 tokens",
      value: "2",
      seen: "`POST /v1/transcribe` with a summary of 3 KB of text: parts of it, then the whole"
    },
    {
      name: "OPENAI_SUMMARY_BASE_URL",
      unset: { words: "`VERBATIM_OPENAI_BASE_URL`" },
      does: "where summaries are made elsewhere",
      seen: "`POST /v1/transcribe` with a summary: that server is asked for it"
    },
    {
      name: "OPENAI_SUMMARY_API_KEY",
      unset: { words: "none; the other key where the address is the same" },
      does: "the key of that server; the other key does not go there",
      value: "sk-unusual-writing",
      seen: "`POST /v1/transcribe` with a summary: the server that sums up is shown it"
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
      value: "2",
      seen: "`POST /v1/transcribe` with 2 MB and a byte: 413"
    },
    {
      name: "TEMPLATES",
      unset: { words: "none" },
      does: "a JSON file: template name → parameters; those of a request win",
      seen: "`POST /v1/transcribe` with a `template` is answered with its `callback_id`"
    },
    {
      name: "ALLOW_NETWORKS",
      unset: "",
      does: "private networks that downloads and webhooks may reach, such as `10.0.0.0/8`",
      value: "127.0.0.0/8",
      seen: "`POST /v1/transcribe` with a `url` of this machine: it is asked for its file"
    },
    {
      name: "WEBHOOK_SECRET",
      unset: { words: "none" },
      does:
        "signs webhooks (Standard Webhooks): `whsec_…`, several separated by spaces while " +
        "rotating; workspaces may have their own",
      value: `whsec_${"A".repeat(43)}=`,
      seen: "`POST /v1/transcribe` with a `callback_url`: its webhook is signed with it"
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
      value: "unusual-management-key-0123456789",
      seen: "`GET /v1/presets` with it: 200"
    },
    {
      name: "BOOTSTRAP_INFERENCE_KEY",
      unset: { words: "none; without both keys, both are made and printed" },
      does: "the key for transcriptions of a fresh store",
      value: "unusual-inference-key-01234567890",
      seen: "`GET /v1/transcriptions` with it: 200"
    },
    {
      name: "BOOTSTRAP_OPERATOR_KEY",
      unset: { words: "none" },
      does:
        "a key that manages workspaces. It is looked for at every start, and added where it is " +
        "new; one that was revoked stays revoked",
      value: "unusual-operator-key-0123456789abcdef",
      seen: "`GET /v1/workspaces` with it: 200"
    },
    {
      name: "BOOTSTRAP_MINUTES",
      unset: "600",
      does: "the minutes of a fresh store; they may have decimals",
      value: "77.5",
      seen: "`POST /v1/transcribe` is answered with this `balance_minutes`"
    }
  ]
} as const satisfies Part

export const workParts = [engines, requests, firstStart] as const
