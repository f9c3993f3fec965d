/**
 * Shows the preset's additions to a request, with the origin of each field: for one version at one
 * time, or for two versions side by side.
 */

import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Field } from "../ui/Forms.tsx"
import { PointField } from "./PointField.tsx"
import type { PresetProps, PresetState } from "./PresetModel.ts"
import { type Format, lastInstant, readObject, sampleRequests } from "./PresetTraits.ts"
import { type PointInTime, Resolutions } from "./Resolutions.tsx"
import { FormatField } from "./VersionForm.tsx"

/** The pause in typing after which the server is called. */
const restMillis = 350

const minuteDigits = 16

/** Formats an instant for an input field, in the reader's zone. */
const toLocal = (at: string): string => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ""
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, minuteDigits + 3)
}

const readPoint = (side: "a" | "b"): PointInTime | undefined => {
  const point = query.value.get(side) ?? (side === "a" ? "designated" : "")
  if (point === "") return undefined
  const at = query.value.get(`${side}at`) ?? ""
  return { point, at: Number.isNaN(Date.parse(at)) ? "" : at }
}

const Side = ({
  onRemove,
  side,
  state,
  title
}: {
  readonly side: "a" | "b"
  readonly title: string
  readonly state: PresetState
  readonly onRemove?: () => void
}) => {
  const pointed = readPoint(side)
  if (pointed === undefined) return null
  const isNumber = /^\d+$/.test(pointed.point)
  return (
    <fieldset class="trial-side box">
      <legend>{title}</legend>
      <PointField
        label="Version or label"
        id={`points-${side}`}
        state={state}
        value={pointed.point}
        onChange={(point) => {
          setQuery(side, point)
          if (/^\d+$/.test(point)) setQuery(`${side}at`, "")
        }}
      />
      <Field label="At time">
        <input
          class="input"
          type="datetime-local"
          step="1"
          max={lastInstant}
          disabled={isNumber}
          aria-describedby={`at-hint-${side}`}
          value={toLocal(pointed.at)}
          onChange={(event) => {
            const { validity, value } = event.currentTarget
            const isMeant = value !== "" && validity.valid
            setQuery(`${side}at`, isMeant ? new Date(value).toISOString() : "")
          }}
        />
        <span class="hint" id={`at-hint-${side}`}>
          {isNumber ? "A version never changes." : "Empty: now."}
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

const RequestField = ({
  fault,
  onChange,
  text
}: {
  readonly text: string
  readonly fault: string
  readonly onChange: (text: string) => void
}) => (
  <Field label="Request">
    <textarea
      class="input is-mono"
      rows={6}
      spellcheck={false}
      value={text}
      aria-invalid={fault !== ""}
      aria-describedby="request-fault"
      onInput={(event) => onChange(event.currentTarget.value)}
    />
    <span class="field-fault bar" id="request-fault" role="alert">
      {fault}
    </span>
  </Field>
)

/** The request being written, if it is valid. */
const useRequest = (usual: Format) => {
  const format = useSignal(usual)
  const text = useSignal(sampleRequests[usual])
  const fault = useSignal("")
  const request = useSignal<Record<string, unknown>>(
    JSON.parse(sampleRequests[usual]) as Record<string, unknown>
  )
  useEffect(() => {
    const timer = setTimeout(() => {
      const read = readObject(text.value)
      fault.value = "fault" in read ? read.fault : ""
      if ("value" in read) request.value = read.value
    }, restMillis)
    return () => clearTimeout(timer)
  }, [text.value])
  const setFormat = (next: Format): void => {
    if (text.value === sampleRequests[format.value]) text.value = sampleRequests[next]
    format.value = next
  }
  return { fault, format, request, setFormat, text }
}

const Sides = ({ state }: { readonly state: PresetState }) => {
  const isOne = readPoint("b") === undefined
  return (
    <div class="trial-sides stack-3">
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
            setQuery("b", "")
            setQuery("bat", "")
          }}
        />
      )}
    </div>
  )
}

/** Shows the request, the versions, and the results. */
export const RequestPreview = ({ model, state }: PresetProps) => {
  const { fault, format, request, setFormat, text } = useRequest(
    state.versions[0]?.format ?? "responses"
  )
  const sides = [readPoint("a"), readPoint("b")].filter((side) => side !== undefined)
  return (
    <div class="trial stack">
      <div class="trial-form stack">
        <div class="trial-request stack-3">
          <FormatField label="Format" format={format.value} onChange={setFormat} />
          <RequestField
            text={text.value}
            fault={fault.value}
            onChange={(next) => {
              text.value = next
            }}
          />
        </div>
        <Sides state={state} />
      </div>
      <Resolutions slug={model.slug} format={format.value} request={request.value} sides={sides} />
    </div>
  )
}
