/**
 * Accepts recordings that are dropped on the window, on any screen, and lists the running uploads.
 */

import { useSignal } from "@preact/signals"
import { goTo } from "../Router.ts"
import { owner } from "../session/Session.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useWindowEvents } from "../ui/Theme.ts"
import { sendFiles, type Upload, uploads } from "./Uploads.ts"

/** Shows where to drop while files are dragged over the window. */
export const DropZone = () => {
  // A drag enters and leaves each element in turn: at depth zero it has left the window.
  const depth = useSignal(0)
  useWindowEvents(["dragenter", "dragleave", "dragover", "drop"], (event) => {
    const { dataTransfer, type } = event
    if (dataTransfer?.types.includes("Files") !== true) return
    event.preventDefault()
    if (type === "dragenter") depth.value += 1
    if (type === "dragleave") depth.value -= 1
    if (type !== "drop") return
    depth.value = 0
    sendFiles([...dataTransfer.files])
    goTo("/jobs")
  })
  return depth.value > 0 ? (
    <div class="drop" aria-hidden="true">
      <div class="drop-card bar">
        <Icon name="upload" />
        Drop recordings to transcribe them
      </div>
    </div>
  ) : null
}

const UploadLine = ({ upload }: { readonly upload: Upload }) => {
  const { fault, name, share } = upload
  return (
    <li class={fault === undefined ? "upload box bar" : "upload box bar is-fault"}>
      <Icon name={fault === undefined ? "upload" : "alert"} />
      <div class="upload-main grow">
        <span class="row-title" dir="auto">
          {name}
        </span>
        {fault === undefined ? null : (
          <span class="row-note hint is-bad is-wrapped" role="alert">
            {fault}
          </span>
        )}
        {share === undefined ? null : (
          <progress value={share} max={1} aria-label={`Upload of ${name}`} />
        )}
        {share === undefined && fault === undefined ? (
          <span class="row-note hint">Waiting</span>
        ) : null}
      </div>
      {fault === undefined ? null : (
        <Button class="is-small" onClick={upload.again}>
          Send again<span class="hidden"> {name}</span>
        </Button>
      )}
      <IconButton
        icon="close"
        label={fault === undefined ? `Cancel the upload of ${name}` : `Dismiss ${name}`}
        onClick={upload.cancel}
      />
    </li>
  )
}

/** Shows the uploads of the current user. */
export const UploadList = () => {
  const shown = uploads.value.filter(({ owner: own }) => own === owner.value)
  return shown.length === 0 ? null : (
    <ul class="uploads stack-2" aria-label="Uploads">
      {shown.map((upload) => (
        <UploadLine key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}
