/** A form that requests a transcription with parameters, from files or from a recording's URL. */
import { useMemo } from "preact/hooks"
import { languageName } from "../job/Facts.tsx"
import { FormDialog, SelectField, TextField, textIn } from "../ui/Forms.tsx"
import { makeIdempotencyKeys } from "../ui/RepeatGuard.ts"
import { requestJob, sendFiles } from "./Uploads.ts"

const codes =
  "af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk ko lt " +
  "lv mi mk ms ne nl no pl pt ro ru sk sl sr sv sw th tr uk vi zh"

const languages = codes
  .split(" ")
  .map((code) => [code, languageName(code)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, "en"))

const summaries = Object.entries({ "": "None", brief: "Brief", medium: "Medium", long: "Long" })
const tracks = Object.entries({
  "": "Default track",
  mix: "All tracks, mixed",
  speakers: "One speaker per track"
})

const parametersIn = (form: FormData): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form.keys()]
      .filter((name) => name !== "file")
      .map((name) => [name, textIn(form, name)] as const)
      .filter(([, value]) => value !== "")
  )

/** A refused URL keeps the form open. Files are sent later, so the webhook is checked here. */
const submit = async (form: FormData, keyFor: (content: unknown) => string): Promise<void> => {
  const written = parametersIn(form)
  // A pasted URL may contain spaces, which the API refuses.
  const fields =
    written.url === undefined ? written : { ...written, url: written.url.replaceAll(" ", "%20") }
  const files = form
    .getAll("file")
    .filter((file) => file instanceof File)
    .filter(({ name }) => name !== "")
  const { callback_id, callback_url, url } = fields
  if (files.length > 0 && url !== undefined)
    throw new Error("Choose files or enter a URL, not both.")
  if (files.length === 0 && url === undefined) throw new Error("Choose a file or enter a URL.")
  if (callback_url !== undefined && !/^https?:/i.test(callback_url))
    throw new Error("Invalid 'callback_url' format. Must start with http or https")
  if (url === undefined) sendFiles(files, fields)
  else await requestJob(keyFor(fields), { name: callback_id ?? url, fields })
}

const fieldOf = (refusal: string): string | undefined => {
  const names = ["callback_id", "callback_url", "keywords", "template"]
  return names.find((name) => refusal.includes(name)) ?? (/URL/.test(refusal) ? "url" : undefined)
}

export const UploadForm = ({ onClose }: { readonly onClose: () => void }) => {
  const keyFor = useMemo(makeIdempotencyKeys, [])
  return (
    <FormDialog
      title="Transcribe with options"
      action="Transcribe"
      submit={(form) => submit(form, keyFor)}
      fieldOf={fieldOf}
      onClose={onClose}
    >
      <TextField name="file" label="Recordings" type="file" multiple />
      <TextField name="url" label="Or the URL of a recording" placeholder="https://…" />
      <div class="field-pair">
        <SelectField name="language" label="Language" options={[["", "Detect"], ...languages]} />
        <SelectField name="summary" label="Summary" options={summaries} />
        <TextField
          name="speakers"
          label="Number of speakers"
          type="number"
          min={1}
          max={32}
          placeholder="Detect"
        />
        <SelectField name="tracks" label="Tracks" options={tracks} />
      </div>
      <TextField
        name="keywords"
        label="Names and terms to expect"
        placeholder="Separated by commas, the most important first"
      />
      <div class="field-pair">
        <TextField name="callback_id" label="Callback id" placeholder="Shown as the job's name" />
        <TextField name="template" label="Template" placeholder="Defined by the operator" />
      </div>
      <TextField name="callback_url" label="Webhook URL" placeholder="https://…" />
    </FormDialog>
  )
}
