/**
 * What the preset makes of a request: of one version at one instant, or of two beside each other,
 * and for each field whose it is.
 */

import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { query, setQuery } from "../Router.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Field } from "../ui/Forms.tsx"
import { PointField } from "./PointField.tsx"
import type { Shown, Standing } from "./PresetModel.ts"
import { type Format, lastInstant, readObject, sampleRequests } from "./PresetTraits.ts"
import { type Pointed, Resolutions } from "./Resolutions.tsx"
import { FormatField } from "./VersionForm.tsx"

/** The server is asked when somebody has stopped writing. */
const restMillis = 350

const minuteDigits = 16

/** An instant as the field for it takes it, in the reader's zone. */
const toLocal = (at: string): string => {
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return ""
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, minuteDigits + 3)
}

const findPointedVersion = (side: "a" | "b"): Pointed | undefined => {
  const point = query.value.get(side) ?? (side === "a" ? "designated" : "")
  if (point === "") return undefined
  const at = query.value.get(`${side}at`) ?? ""
  return { point, at: Number.isNaN(Date.parse(at)) ? "" : at }
}

const Side = ({
  onRemove,
  side,
  standing,
  title
}: {
  readonly side: "a" | "b"
  readonly title: string
  readonly standing: Standing
  readonly onRemove?: () => void
}) => {
  const pointed = findPointedVersion(side)
  if (pointed === undefined) return null
  const isNumber = /^\d+$/.test(pointed.point)
  return (
    <fieldset class="trial-side box">
      <legend>{title}</legend>
      <PointField
        label="Version or label"
        id={`points-${side}`}
        standing={standing}
        value={pointed.point}
        onChange={(point) => {
          setQuery(side, point)
          if (/^\d+$/.test(point)) setQuery(`${side}at`, "")
        }}
      />
      <Field label="As it was at">
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
          {isNumber ? "A version says the same at any time." : "Left empty, it is as it is now."}
        </span>
      </Field>
      {onRemove === undefined ? null : (
        <IconButton class="trial-remove" icon="close" label="Look at one only" onClick={onRemove} />
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

/** The request that is written, as far as it is one. */
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

const Sides = ({ standing }: { readonly standing: Standing }) => {
  const isOne = findPointedVersion("b") === undefined
  return (
    <div class="trial-sides stack-3">
      <Side side="a" title={isOne ? "With" : "One"} standing={standing} />
      {isOne ? (
        <Button icon="plus" onClick={() => setQuery("b", "latest")}>
          Compare with another version
        </Button>
      ) : (
        <Side
          side="b"
          title="Other"
          standing={standing}
          onRemove={() => {
            setQuery("b", "")
            setQuery("bat", "")
          }}
        />
      )}
    </div>
  )
}

/** Shows the request, the sides, and what becomes of it. */
export const Trial = ({ model, standing }: Shown) => {
  const { fault, format, request, setFormat, text } = useRequest(
    standing.versions[0]?.format ?? "responses"
  )
  const sides = [findPointedVersion("a"), findPointedVersion("b")].filter(
    (side) => side !== undefined
  )
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
        <Sides standing={standing} />
      </div>
      <Resolutions slug={model.slug} format={format.value} request={request.value} sides={sides} />
    </div>
  )
}
