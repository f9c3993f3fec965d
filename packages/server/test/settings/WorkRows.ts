/** Looks for what engines are asked, what clients may ask, and what a fresh store has. */
import { Webhook } from "standardwebhooks"
import { summary } from "./Neighbours.ts"
import type { Look, Row } from "./Row.ts"
import { type RunName, valueOf } from "./Runs.ts"
import { noise, type Stage, settle } from "./Stage.ts"

/** What is said about the engine, once it is ready or never will be. */
const transcriber = async (stage: Stage, run: RunName) => {
  const look = async () => (await stage.health(run)).body.transcriber
  await settle(async () => (await look()).status !== "preparing", true)
  return look()
}

const engine: Look = async (stage, run) => {
  const { detail } = await transcriber(stage, run)
  return detail.split(" ")[0]
}

const engineAndModel: Look = async (stage, run) => (await transcriber(stage, run)).detail

const readiness: Look = async (stage, run) => (await transcriber(stage, run)).status

const fetched: Look = async (stage, run) => {
  const { detail } = await transcriber(stage, run)
  return [detail, stage.neighbours.source.asked.includes("/tailored/encoder.onnx")]
}

const heardLanguage: Look = async (stage, run) => {
  const { done } = await stage.job(run)
  return [done.transcription_status, done.output.language]
}

/** Whether a language model made the summary. */
const isWritten: Look = async (stage, run) => (await stage.job(run)).done.summary === summary

/** What the servers of a run were asked for its long job. */
const askedFor = async (stage: Stage, run: RunName, kind: "hearing" | "writing") => {
  await stage.job(run)
  const { models } = stage.neighbours
  const { asked } = run === "usual" ? models.usual : models[kind]
  return asked.filter(({ isChat }) => isChat === (kind === "writing"))
}

const keyFor =
  (kind: "hearing" | "writing"): Look =>
  async (stage, run) => [...new Set((await askedFor(stage, run, kind)).map(({ key }) => key))]

const modelFor =
  (kind: "hearing" | "writing"): Look =>
  async (stage, run) => [...new Set((await askedFor(stage, run, kind)).map(({ model }) => model))]

const hasVad: Look = async (stage, run) =>
  (await askedFor(stage, run, "hearing")).every(({ fields }) => fields.includes("vad_filter"))

/** How often it was asked for that one job. */
const countOf = async (stage: Stage, run: RunName, kind: "hearing" | "writing") => {
  const all = await askedFor(stage, run, kind)
  return kind === "writing"
    ? all.length
    : all.filter(({ byteLength }) => byteLength > 400_000).length
}

const pieces: Look = (stage, run) => countOf(stage, run, "hearing")

const isCut: Look = async (stage, run) => (await countOf(stage, run, "writing")) > 1

/** Whether the server that transcribes is asked for the summary too. */
const isElsewhere: Look = async (stage, run) => {
  await stage.job(run)
  const { hearing, usual } = stage.neighbours.models
  return !(run === "usual" ? usual : hearing).asked.some(({ isChat }) => isChat)
}

const tooLarge: Look = async (stage, run) => {
  const { body, status } = await stage.submit(run, {}, noise(2_097_153))
  return [status, body.detail]
}

const fromTemplate: Look = async (stage, run) =>
  (await stage.submit(run, { template: "unusual" }, noise())).body.callback_id

const reached: Look = async (stage, run) =>
  (await stage.submit(run, { url: `${stage.neighbours.receiver.url}.json` })).body.detail

const isSigned: Look = async (stage, run) => {
  const { accepted } = await stage.job(run)
  const arrived = stage.neighbours.receiver.arrived.find(({ body }) => body.includes(accepted.id))
  if (arrived === undefined) return "nothing arrived"
  try {
    const headers = { ...arrived.headers } as Record<string, string>
    new Webhook(valueOf("WEBHOOK_SECRET")).verify(arrived.body, headers)
    return true
  } catch {
    return false
  }
}

const taken =
  (path: string, name: `BOOTSTRAP_${"INFERENCE" | "MANAGEMENT" | "OPERATOR"}_KEY`): Look =>
  async (stage, run) =>
    (await stage.ask(run, path, {}, valueOf(name))).status

const minutes: Look = async (stage, run) => (await stage.job(run)).accepted.balance_minutes

const both = { unusual: "unusual", usual: "usual" } as const

/** The rows of the other parts. */
export const workRows = {
  TRANSCRIBER: {
    look: engine,
    unusual: "unusual",
    expected: "openai",
    usual: "local",
    otherwise: "sherpa-onnx"
  },
  SUMMARIZER: {
    look: isWritten,
    unusual: "usual",
    expected: true,
    usual: "local",
    otherwise: false
  },
  MODEL: {
    look: engineAndModel,
    unusual: "fetching",
    expected: "sherpa-onnx tailored",
    usual: "local",
    otherwise: "sherpa-onnx base"
  },
  MODELS: {
    look: heardLanguage,
    unusual: "local",
    expected: ["COMPLETED", "de"],
    usual: "fetching",
    otherwise: ["COMPLETED", "ja"]
  },
  MODEL_SOURCE: {
    look: fetched,
    unusual: "fetching",
    expected: ["sherpa-onnx tailored", true],
    usual: { reason: "without it, a hub on the internet is asked" }
  },
  OPENAI_BASE_URL: {
    look: readiness,
    unusual: "usual",
    expected: "ready",
    usual: "keyless",
    otherwise: "unavailable"
  },
  OPENAI_API_KEY: {
    look: keyFor("hearing"),
    ...both,
    expected: ["Bearer sk-unusual"],
    otherwise: ["undefined"]
  },
  OPENAI_TRANSCRIPTION_MODEL: {
    look: modelFor("hearing"),
    ...both,
    expected: ["unusual-hearing"],
    otherwise: ["whisper-1"]
  },
  OPENAI_DIALECT: { look: hasVad, ...both, expected: true, otherwise: false },
  OPENAI_UPLOAD_MB: { look: pieces, ...both, expected: 3, otherwise: 1 },
  OPENAI_SUMMARY_MODEL: {
    look: modelFor("writing"),
    ...both,
    expected: ["unusual-writing"],
    otherwise: ["gpt-4o-mini"]
  },
  OPENAI_SUMMARY_PART_KB: { look: isCut, ...both, expected: true, otherwise: false },
  OPENAI_SUMMARY_BASE_URL: { look: isElsewhere, ...both, expected: true, otherwise: false },
  OPENAI_SUMMARY_API_KEY: {
    look: keyFor("writing"),
    ...both,
    expected: ["Bearer sk-unusual-writing"],
    otherwise: ["undefined"]
  },
  MAX_FILE_MB: {
    look: tooLarge,
    ...both,
    expected: [413, "File size exceeds 2MB limit"],
    otherwise: [200, undefined]
  },
  TEMPLATES: {
    look: fromTemplate,
    ...both,
    expected: "of the template",
    otherwise: undefined
  },
  ALLOW_NETWORKS: {
    look: reached,
    unusual: "unusual",
    expected: "Unsupported file extension: .json",
    usual: "local",
    otherwise: "Invalid URL or file not accessible"
  },
  WEBHOOK_SECRET: { look: isSigned, ...both, expected: true, otherwise: false },
  BOOTSTRAP_MANAGEMENT_KEY: {
    look: taken("/v1/presets", "BOOTSTRAP_MANAGEMENT_KEY"),
    ...both,
    expected: 200,
    otherwise: 401
  },
  BOOTSTRAP_INFERENCE_KEY: {
    look: taken("/v1/transcriptions", "BOOTSTRAP_INFERENCE_KEY"),
    ...both,
    expected: 200,
    otherwise: 403
  },
  BOOTSTRAP_OPERATOR_KEY: {
    look: taken("/v1/workspaces", "BOOTSTRAP_OPERATOR_KEY"),
    ...both,
    expected: 200,
    otherwise: 401
  },
  BOOTSTRAP_MINUTES: { look: minutes, ...both, expected: "77.50", otherwise: "600.00" }
} as const satisfies Readonly<Record<string, Row>>
