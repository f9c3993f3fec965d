/** Accepts recordings dropped on the window, on any screen, and lists the running uploads. */
import { useSignal } from "@preact/signals"
import { goTo } from "../Router.ts"
import { owner } from "../session/Session.ts"
import { Button, Icon, IconButton } from "../ui/Button.tsx"
import { RowTitle } from "../ui/Card.tsx"
import { useWindowEvents } from "../ui/Theme.ts"
import { sendFiles, type Upload, uploads } from "./Uploads.ts"

export const DropZone = () => {
  // Number of elements that the drag has entered but not left. At zero, it has left the window.
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

const showUpload = ({ again, cancel, fault, id, name, share }: Upload) => {
  const isFailed = fault !== undefined
  return (
    <li class={`upload box bar ${isFailed ? "is-fault" : ""}`} key={id}>
      <Icon name={isFailed ? "alert" : "upload"} />
      <div class="upload-main grow">
        <RowTitle>{name}</RowTitle>
        {share === undefined ? (
          <span
            class={`row-note hint is-wrapped ${isFailed ? "is-bad" : ""}`}
            role={isFailed ? "alert" : undefined}
          >
            {fault ?? "Waiting"}
          </span>
        ) : (
          <progress value={share} max={1} aria-label={`Upload of ${name}`} />
        )}
      </div>
      {isFailed ? <Button class="is-small" onClick={again} word="Send again" about={name} /> : null}
      <IconButton
        icon="close"
        label={isFailed ? `Dismiss ${name}` : `Cancel the upload of ${name}`}
        onClick={cancel}
      />
    </li>
  )
}

export const UploadList = () => {
  const shown = uploads.value.filter(({ owner: own }) => own === owner.value)
  return shown.length === 0 ? null : (
    <ul class="uploads stack-2" aria-label="Uploads">
      {shown.map(showUpload)}
    </ul>
  )
}
