/** A form for a transcription with parameters, from files or from the URL of a recording. */
import type { ComponentChildren } from "preact"
import { languageName } from "../job/Facts.tsx"
import { Field, FormDialog, textIn } from "../ui/Forms.tsx"
import { transcribe } from "./Uploads.ts"

/** The languages that the API accepts. */
const languages = (
  "af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk ko lt " +
  "lv mi mk ms ne nl no pl pt ro ru sk sl sr sv sw th tr uk vi zh"
).split(" ")

const Choice = (props: {
  readonly name: string
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <Field label={props.label}>
    <select class="select" name={props.name}>
      {props.children}
    </select>
  </Field>
)

const Text = (props: {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
}) => (
  <Field label={props.label}>
    <input class="input" name={props.name} type="text" placeholder={props.placeholder} />
  </Field>
)

/** The parameters of the request; an empty one means the server's default. */
const parameters = [
  "url",
  "language",
  "summary",
  "speakers",
  "tracks",
  "keywords",
  "callback_id",
  "callback_url",
  "template"
] as const

type Parameters = { readonly [name in (typeof parameters)[number]]?: string }

const parametersIn = (form: FormData): Parameters =>
  Object.fromEntries(
    parameters
      .map((name) => [name, textIn(form, name)] as const)
      .filter(([, value]) => value !== "")
  )

/** Requests the transcriptions. The server validates the parameters. */
const submit = async (form: FormData): Promise<void> => {
  const fields = parametersIn(form)
  const files = form
    .getAll("file")
    .filter((file) => file instanceof File)
    .filter(({ name }) => name !== "")
  const { url } = fields
  if (files.length > 0 && url !== undefined)
    throw new Error("Choose files or enter a URL, not both.")
  if (files.length === 0 && url === undefined) throw new Error("Choose a file or enter a URL.")
  if (url === undefined) transcribe(files.map((file) => ({ name: file.name, file, fields })))
  else transcribe([{ name: fields.callback_id ?? url, fields }])
}

/** Shows the form in a dialog. */
export const UploadForm = ({ onClose }: { readonly onClose: () => void }) => (
  <FormDialog title="Transcribe with options" action="Transcribe" submit={submit} onClose={onClose}>
    <Field label="Recordings">
      <input class="input" type="file" name="file" multiple />
    </Field>
    <Text name="url" label="Or the URL of a recording" placeholder="https://…" />
    <div class="field-pair">
      <Choice name="language" label="Language">
        <option value="">Detect</option>
        {languages.map((code) => (
          <option key={code} value={code}>
            {languageName(code)}
          </option>
        ))}
      </Choice>
      <Choice name="summary" label="Summary">
        <option value="">None</option>
        <option value="brief">Brief</option>
        <option value="medium">Medium</option>
        <option value="long">Long</option>
      </Choice>
      <Field label="Number of speakers">
        <input class="input" name="speakers" type="number" min={1} placeholder="Detect" />
      </Field>
      <Choice name="tracks" label="Tracks">
        <option value="">Default track</option>
        <option value="mix">All tracks, mixed</option>
        <option value="speakers">One speaker per track</option>
      </Choice>
    </div>
    <Text
      name="keywords"
      label="Names and terms to expect"
      placeholder="Separated by commas, the most important first"
    />
    <div class="field-pair">
      <Text name="callback_id" label="Callback id" placeholder="Shown as the job's name" />
      <Text name="template" label="Template" placeholder="Defined by the operator" />
    </div>
    <Text name="callback_url" label="Webhook URL" placeholder="https://…" />
  </FormDialog>
)
