/** The OpenAI-compatible transcription call. */
import type { Client } from "openapi-fetch"
import { type CreateOptions, readText, toRepeatable } from "./Calls.ts"
import type { components, paths } from "./generated/Description.ts"
import type { NamedFields } from "./OperationTypes.ts"
import { makeForm } from "./Upload.ts"

type Schemas = components["schemas"]

type Form = Schemas["SpeechForm"]

/** The form's fields. */
export type SpeechRequest = Readonly<NamedFields<Form>>

/** An object or a string, depending on the requested `response_format`. */
export type SpeechAnswer =
  | Schemas["SpeechJson"]
  | Schemas["SpeechVerboseJson"]
  | Schemas["SpeechDiarizedJson"]
  | string

/** The speech call that uploads a file. */
export interface Speech {
  /**
   * Transcribes a recording and waits for the result. With `stream`, the events are returned as a
   * single string.
   */
  readonly transcribe: (request: SpeechRequest, options?: CreateOptions) => Promise<SpeechAnswer>
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
