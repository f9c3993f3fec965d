/**
 * A Dockerfile as stages: what is copied and run in each, and what a container of the last gets.
 * An instruction that is not known here is a mistake: nothing of a recipe is left out in silence.
 */
import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction
} from "dockerfile-ast"

/** What changes the files of a stage. */
export type Step =
  | { readonly _tag: "Run"; readonly command: string }
  | {
      readonly _tag: "Copy"
      /** The stage that it comes from; the folder of the build where there is none. */
      readonly from: string | undefined
      readonly sources: ReadonlyArray<string>
      readonly target: string
    }

/** What a container is started with. */
export interface Setup {
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly user: string
  readonly volumes: ReadonlyArray<string>
  readonly entrypoint: ReadonlyArray<string>
  readonly command: ReadonlyArray<string>
  readonly healthCommand: ReadonlyArray<string>
}

/** A step with the folder and the environment that it is taken in. */
export interface Placed {
  readonly step: Step
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** One stage, over another one or over an image. */
export interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: ReadonlyArray<Placed>
  readonly setup: Setup
}

const empty: Setup = {
  environment: {},
  folder: "/",
  user: "0:0",
  volumes: [],
  entrypoint: [],
  command: [],
  healthCommand: []
}

const wordsOf = (instruction: Instruction): ReadonlyArray<string> => {
  const strings = (instruction as JSONInstruction).getJSONStrings()
  if (strings.length === 0)
    throw new Error(`write it as JSON: ${instruction.getRawArgumentsContent()}`)
  return strings.map((each) => JSON.parse(each.getValue()) as string)
}

/** The list at the end of a health check, after its flags. */
const healthWords = (text: string): ReadonlyArray<string> =>
  JSON.parse(text.slice(text.indexOf("CMD") + "CMD".length)) as ReadonlyArray<string>

const copyOf = (copy: Copy): Step => {
  const words = copy.getArguments().map((argument) => argument.getValue())
  const from = copy.getFlags().find((flag) => flag.getName() === "from")
  return {
    _tag: "Copy",
    from: from?.getValue() ?? undefined,
    sources: words.slice(0, -1),
    target: words.at(-1) ?? ""
  }
}

const propertiesOf = (env: Env) =>
  Object.fromEntries(env.getProperties().map((each) => [each.getName(), each.getValue() ?? ""]))

/** What an instruction changes of a container. */
const setUp = (setup: Setup, instruction: Instruction): Setup | undefined => {
  const text = instruction.getRawArgumentsContent() ?? ""
  switch (instruction.getKeyword()) {
    case "WORKDIR":
      return { ...setup, folder: text }
    case "ENV": {
      const environment = { ...setup.environment, ...propertiesOf(instruction as Env) }
      return { ...setup, environment }
    }
    case "USER":
      return { ...setup, user: text }
    case "VOLUME":
      return { ...setup, volumes: wordsOf(instruction) }
    case "HEALTHCHECK":
      return { ...setup, healthCommand: healthWords(text) }
    case "ENTRYPOINT":
      return { ...setup, entrypoint: wordsOf(instruction) }
    case "CMD":
      return { ...setup, command: wordsOf(instruction) }
    case "EXPOSE":
    case "STOPSIGNAL":
      return setup
    default:
      return undefined
  }
}

const stepOf = (instruction: Instruction): Step | undefined => {
  switch (instruction.getKeyword()) {
    case "RUN":
      // Lines that go on lose their backslash, as in the shell.
      return { _tag: "Run", command: instruction.getRawArgumentsContent() ?? "" }
    case "COPY":
      return copyOf(instruction as Copy)
    default:
      return undefined
  }
}

const begin = (from: From, known: ReadonlyArray<Stage>): Stage => {
  const base = from.getImage() ?? ""
  const setup = known.find(({ name }) => name === base)?.setup ?? empty
  return { name: from.getBuildStage() ?? "", base, steps: [], setup }
}

const add = (stage: Stage, instruction: Instruction): Stage => {
  const setup = setUp(stage.setup, instruction)
  if (setup !== undefined) return { ...stage, setup }
  const step = stepOf(instruction)
  if (step === undefined) throw new Error(`unknown here: ${instruction.getKeyword()}`)
  const { environment, folder } = stage.setup
  return { ...stage, steps: [...stage.steps, { step, folder, environment }] }
}

/** Reads the stages of a Dockerfile, in order. */
export const readStages = (text: string): ReadonlyArray<Stage> => {
  const stages: Array<Stage> = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const last = stages.at(-1)
    if (instruction.getKeyword() === "FROM") stages.push(begin(instruction as From, stages))
    else if (last === undefined) throw new Error("an instruction before the first stage")
    else stages[stages.length - 1] = add(last, instruction)
  }
  return stages
}
