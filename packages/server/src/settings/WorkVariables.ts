/** The variables of engines, requests, webhooks and the first start, as rows. */
import { dialectNames } from "@verbatim/adapters/openai"
import { ModelSource } from "@verbatim/adapters/whisper"
import { acceptableToken, secretMax } from "@verbatim/core/workspace"
import { summarizerNames, transcriberNames } from "../EngineNames.ts"
import { number, type Table, text } from "./Variable.ts"

const oneOf = (names: ReadonlyArray<string>): string => `one of ${names.join(", ")}`

const serverUrl = "a URL like https://api.openai.com/v1"

const serverKey = "at most 512 printable ASCII characters without spaces"

const engines = {
  heading: "Engines",
  variables: {
    TRANSCRIBER: text(
      {
        unset: "auto",
        expected: `one or more of ${transcriberNames.join(", ")}, in order, separated by commas`
      },
      "engines in order of preference, such as `whisper,openai,pocketsphinx`: the first that " +
        "is ready and takes the work"
    ),
    SUMMARIZER: text(
      { unset: "auto", expected: oneOf(summarizerNames) },
      "`openai` or `lexrank`; `auto` is `openai` where a model for summaries is named"
    ),
    MODEL: text(
      { unset: "base", expected: "a model for speech, from verbatim engines list" },
      "the model that recognises; the server does not start with one that does not exist"
    ),
    MODELS: text({ unset: { words: "`models` in the cache" } }, "the directory of models"),
    MODEL_SOURCE: text(
      { unset: "hub:https://huggingface.co", expected: ModelSource.expected },
      "where models are fetched: a hub, or the URL of a directory of models"
    ),
    OPENAI_BASE_URL: text(
      { unset: "https://api.openai.com/v1", expected: serverUrl },
      "any server that speaks the protocol, even a private one: `http://localhost:11434/v1`"
    ),
    OPENAI_API_KEY: text({ unset: { words: "none" }, expected: serverKey }, "its key"),
    OPENAI_TRANSCRIPTION_MODEL: text(
      { unset: "whisper-1", expected: "the name of a model" },
      "the model that recognises there"
    ),
    OPENAI_DIALECT: text(
      { unset: "openai", expected: oneOf(dialectNames) },
      "`whisper.cpp` or `faster-whisper` for those servers"
    ),
    // The megabyte of the file systems: the smaller one is below a limit however that is read.
    OPENAI_UPLOAD_MB: number(
      { unset: "25", minimum: 1, maximum: 1_000 },
      "longer audio is cut where it is quiet"
    ),
    OPENAI_SUMMARY_MODEL: text(
      { unset: { words: "`gpt-4o-mini`" }, expected: "the name of a model" },
      "the model that sums up"
    ),
    // From a window of 2,048 tokens to one of a million.
    OPENAI_SUMMARY_PART_KB: number(
      { unset: "12", minimum: 2, maximum: 4_096 },
      "the text in one request; about 4 KB of English for 1,000 tokens"
    ),
    OPENAI_SUMMARY_BASE_URL: text(
      { unset: { words: "`VERBATIM_OPENAI_BASE_URL`" }, expected: serverUrl },
      "where summaries are made elsewhere"
    ),
    OPENAI_SUMMARY_API_KEY: text(
      {
        unset: { words: "none; the other key where the address is the same" },
        expected: serverKey
      },
      "the key of that server; the other key does not go there"
    )
  }
} as const satisfies Table

const requests = {
  heading: "Requests and webhooks",
  variables: {
    // 100 GB is a year of speech; more is a typo.
    MAX_FILE_MB: number(
      { unset: "200", minimum: 1, maximum: 100_000 },
      "the largest file, uploaded or behind a URL; a whole request may have 4 MB more"
    ),
    TEMPLATES: text(
      { unset: { words: "none" } },
      "a JSON file: template name → parameters; those of a request win"
    ),
    ALLOW_NETWORKS: text(
      { unset: "", expected: "networks like 10.0.0.0/8 or fd00::/8, separated by commas" },
      "private networks that downloads and webhooks may reach, such as `10.0.0.0/8`"
    ),
    WEBHOOK_SECRET: text(
      {
        unset: { words: "none" },
        expected: `whsec_ and base64 of 24 to 64 bytes, or ${secretMax} such at most, with spaces`
      },
      "signs webhooks (Standard Webhooks): `whsec_…`, several separated by spaces while " +
        "rotating; workspaces may have their own"
    )
  }
} as const satisfies Table

const eitherKey = {
  unset: { words: "none; without both keys, both are made and printed" },
  expected: acceptableToken
}

const firstStart = {
  heading: "The first start",
  variables: {
    BOOTSTRAP_MANAGEMENT_KEY: text(eitherKey, "the key for presets of a fresh store"),
    BOOTSTRAP_INFERENCE_KEY: text(eitherKey, "the key for transcriptions of a fresh store"),
    BOOTSTRAP_OPERATOR_KEY: text(
      { unset: { words: "none" }, expected: acceptableToken },
      "a key that manages workspaces. It is looked for at every start, and added where it is " +
        "new; one that was revoked stays revoked"
    ),
    // Ten million minutes are nineteen years, and still exact in milliseconds.
    BOOTSTRAP_MINUTES: number(
      { unset: "600", minimum: 0, maximum: 10_000_000, hasDecimals: true },
      "the minutes of a fresh store; they may have decimals"
    )
  }
} as const satisfies Table

export const workParts = [engines, requests, firstStart] as const
