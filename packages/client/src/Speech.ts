/** The operation for programs written for OpenAI: a form, answered in several shapes. */
import type { Client } from "openapi-fetch"
import { type CreateOptions, readText, toRepeatable } from "./Calls.ts"
import type { components, paths } from "./generated/Description.ts"
import type { NamedFields } from "./OperationTypes.ts"
import { makeForm } from "./Upload.ts"

type Schemas = components["schemas"]

type Form = Schemas["SpeechForm"]

/** The fields of the form. */
export type SpeechOrder = Readonly<NamedFields<Form>>

/** What is answered: an object, or the text of the form that was asked for. */
export type SpeechAnswer =
  | Schemas["SpeechJson"]
  | Schemas["SpeechVerboseJson"]
  | Schemas["SpeechDiarizedJson"]
  | string

/** The call on speech that takes a file. */
export interface Speech {
  /** Transcribes a recording while the call waits. With `stream` the events come as one text. */
  readonly transcribe: (order: SpeechOrder, options?: CreateOptions) => Promise<SpeechAnswer>
}

/** Makes the call. */
export const makeSpeech = (given: {
  readonly client: Client<paths>
  readonly isRepeating: boolean
}): Speech => ({
  transcribe: async ({ file, ...fields }, options = {}) => {
    const body = makeForm(fields, file, undefined) as unknown as Form
    const calling = given.client.POST("/audio/transcriptions", {
      ...toRepeatable(options, given.isRepeating),
      body,
      parseAs: "text"
    })
    return (await readText(calling)).data as SpeechAnswer
  }
})
