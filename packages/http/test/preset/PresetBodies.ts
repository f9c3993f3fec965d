/** The bodies that make a preset, by their route and schema, with every constraint of each. */
import {
  type Boundary,
  boundaries,
  chatCompletions,
  conversations,
  messages
} from "@verbatim/testkit/samples"

const beside = (rows: ReadonlyArray<Boundary>): ReadonlyArray<Boundary> =>
  rows.map(({ accepted, problem, refused }) => ({
    accepted: { messages: [], ...accepted },
    refused: { messages: [], ...refused },
    problem
  }))

/** One kind of body. */
export interface PresetBody {
  readonly route: string
  readonly schema: string
  readonly rows: ReadonlyArray<Boundary>
}

export const presetBodies: ReadonlyArray<PresetBody> = [
  { route: "responses", schema: "ResponsesRequest", rows: boundaries },
  {
    route: "chat/completions",
    schema: "ChatCompletionsRequest",
    rows: [...conversations, ...beside(chatCompletions)]
  },
  {
    route: "messages",
    schema: "MessagesRequest",
    rows: [...conversations, ...beside(messages)]
  }
]
