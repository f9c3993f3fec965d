/**
 * Shows what the preset adds to a request, with the origin of each field, for one version at a
 * given time or for two versions side by side.
 */

import { useSignal } from "@preact/signals"
import { query, setQuery } from "../Router.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Field, FieldFault } from "../ui/Forms.tsx"
import { useRested } from "../ui/Theme.ts"
import { PointField } from "./PointField.tsx"
import type { PresetProps, PresetState } from "./PresetModel.ts"
import { type Format, lastInstant, readObject, sampleRequests } from "./PresetTraits.ts"
import { isVersionNumber, type PointInTime, type WrittenRequest } from "./RequestCode.ts"
import { Resolutions } from "./Resolutions.tsx"
import { FormatField } from "./VersionForm.tsx"

/** Formats a timestamp for an input field, in the reader's time zone. */
const toLocal = (at: string): string => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ""
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, "2030-01-02T03:04:05".length)
}

const readPoint = (side: "a" | "b"): PointInTime | undefined => {
  const point = query.value.get(side) ?? (side === "a" ? "designated" : "")
  if (point === "") return undefined
  const at = query.value.get(`${side}at`) ?? ""
  return { point, at: Number.isNaN(Date.parse(at)) ? "" : at }
}

interface SideProps {
  readonly side: "a" | "b"
  readonly title: string
  readonly state: PresetState
  readonly onRemove?: () => void
}

const Side = ({ onRemove, side, state, title }: SideProps) => {
  const pointed = readPoint(side)
  if (pointed === undefined) return null
  const isFixed = isVersionNumber(pointed.point)
  return (
    <fieldset class="trial-side inline-form box">
      <legend class="hint">{title}</legend>
      <PointField
        label="Version or label"
        state={state}
        value={pointed.point}
        onChange={(point) => {
          setQuery(side, point)
          if (isVersionNumber(point)) setQuery(`${side}at`, "")
        }}
      />
      <Field label="At time">
        <input
          class="input"
          type="datetime-local"
          step="1"
          max={lastInstant}
          disabled={isFixed}
          aria-describedby={`at-hint-${side}`}
          value={toLocal(pointed.at)}
          onChange={(event) => {
            const { validity, value } = event.currentTarget
            const isMeant = value !== "" && validity.valid
            setQuery(`${side}at`, isMeant ? new Date(value).toISOString() : "")
          }}
        />
        <span class="hint" id={`at-hint-${side}`}>
          {isFixed ? "A version never changes." : "Empty: now."}
        </span>
      </Field>
      {onRemove === undefined ? null : (
        <IconButton
          class="trial-remove"
          icon="close"
          label="Remove this version"
          onClick={onRemove}
        />
      )}
    </fieldset>
  )
}

/** The request as written, undefined while its text is invalid, and the last valid request. */
const useRequest = (usual: Format) => {
  const format = useSignal(usual)
  const text = useSignal(sampleRequests[usual])
  const fault = useSignal("")
  const read = readObject(text.value)
  const written = "value" in read ? { format: format.value, body: read.value } : undefined
  const rested = useSignal<WrittenRequest>({
    format: usual,
    body: JSON.parse(sampleRequests[usual])
  })
  useRested([format.value, text.value], () => {
    fault.value = "fault" in read ? read.fault : ""
    rested.value = written ?? rested.value
  })
  const setFormat = (next: Format): void => {
    if (text.value === sampleRequests[format.value]) text.value = sampleRequests[next]
    format.value = next
  }
  return { fault, format, rested, setFormat, text, written }
}

const Sides = ({ state }: { readonly state: PresetState }) => {
  const isOne = readPoint("b") === undefined
  return (
    <div class="stack-3">
      <Side side="a" title={isOne ? "Version" : "Version A"} state={state} />
      {isOne ? (
        <Button icon="plus" onClick={() => setQuery("b", "latest")}>
          Compare with another version
        </Button>
      ) : (
        <Side
          side="b"
          title="Version B"
          state={state}
          onRemove={() => {
            for (const name of ["b", "bat"]) setQuery(name, "")
          }}
        />
      )}
    </div>
  )
}

export const RequestPreview = ({ model, state }: PresetProps) => {
  const { fault, format, rested, setFormat, text, written } = useRequest(
    state.versions[0]?.format ?? "responses"
  )
  const sides = [readPoint("a"), readPoint("b")].filter((side) => side !== undefined)
  return (
    <div class="stack">
      <div class="trial-form stack">
        <div class="stack-3">
          <FormatField label="Format" format={format.value} onChange={setFormat} />
          <Field label="Request">
            <textarea
              class="input is-mono"
              rows={6}
              spellcheck={false}
              value={text.value}
              aria-invalid={fault.value !== ""}
              aria-describedby="request-fault"
              onInput={(event) => {
                text.value = event.currentTarget.value
              }}
            />
          </Field>
          <FieldFault id="request-fault" text={fault.value} />
        </div>
        <Sides state={state} />
      </div>
      <Resolutions slug={model.slug} written={written} rested={rested.value} sides={sides} />
    </div>
  )
}
