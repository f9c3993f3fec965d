/**
 * Variables with names that others gave them: those of OpenTelemetry, and what a system sets for
 * every program. Whoever sets them for something else sets them for this, too.
 */
import type { Part } from "./Variable.ts"

const endpointForm = "a URL like http://localhost:4318"

const ownEndpoint = (signal: string) =>
  ({
    name: `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`,
    unset: { words: "the place below the endpoint of all" },
    does: `the whole URL for ${signal}, used as it is`,
    expected: endpointForm
  }) as const

const exporter = (signal: string) =>
  ({
    name: `OTEL_${signal.toUpperCase()}_EXPORTER`,
    unset: "otlp",
    does: `\`none\`, or another exporter than \`otlp\`, leaves ${signal} out`,
    expected: "names of exporters, separated by commas"
  }) as const

const telemetry = {
  heading: "Telemetry",
  prefix: "",
  variables: [
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      unset: "",
      does: "the collector; `/v1/traces`, `/v1/metrics` and `/v1/logs` are added",
      expected: endpointForm
    },
    ...["traces", "metrics", "logs"].map(ownEndpoint),
    {
      name: "OTEL_EXPORTER_OTLP_PROTOCOL",
      unset: "http/protobuf",
      does: "how it is spoken to; `grpc` is refused",
      expected: "http/protobuf or http/json (a collector takes both at port 4318)"
    },
    {
      name: "OTEL_EXPORTER_OTLP_HEADERS",
      unset: "",
      does: "headers of each request, such as `api-key=secret,tenant=a%20b`",
      expected: "names and values like key=value,other=value"
    },
    ...["traces", "metrics", "logs"].map(exporter),
    {
      name: "OTEL_SERVICE_NAME",
      unset: "verbatim",
      does: "what the process is called"
    },
    {
      name: "OTEL_RESOURCE_ATTRIBUTES",
      unset: "",
      does: "what else is said of the process",
      expected: "names and values like deployment.environment.name=test,team=speech"
    },
    {
      name: "OTEL_SDK_DISABLED",
      unset: "false",
      does: "`true` sends nothing, whatever else is set",
      expected: "true or false"
    }
  ]
} as const satisfies Part

const system = {
  heading: "What the system sets",
  prefix: "",
  variables: [
    {
      name: "PATH",
      unset: "",
      does: "where `ffmpeg` and `pocketsphinx_continuous` are looked for: absolute folders alone",
      expected: "folders, as the system separates them"
    },
    {
      name: "LD_LIBRARY_PATH",
      unset: "",
      does: "where the libraries of the system's `pocketsphinx_continuous` are",
      expected: "folders, separated by colons"
    },
    {
      name: "HOME",
      unset: { words: "as the system knows the user" },
      does: "the user's home; `USERPROFILE` on Windows",
      expected: "a folder"
    },
    {
      name: "TMPDIR",
      unset: { words: "`/tmp`" },
      does: "where what is needed for a moment is written; `TEMP` on Windows",
      expected: "a folder"
    },
    {
      name: "XDG_CACHE_HOME",
      unset: { words: "`.cache` in the user's home" },
      does: "the user's cache folder; not on Windows and macOS",
      expected: "a folder"
    },
    {
      name: "LOCALAPPDATA",
      unset: "",
      does: "the same on Windows",
      expected: "a folder"
    },
    {
      name: "SystemRoot",
      unset: "",
      does: "on Windows: what programs need to start, and where `hosts` is",
      expected: "a folder"
    },
    {
      name: "NODE_COMPILE_CACHE",
      unset: "",
      does: "is handed on to processes that this one starts",
      expected: "a folder"
    },
    {
      name: "AWS_…",
      unset: "",
      does:
        "what Amazon's tools read, where a bucket is used without `VERBATIM_S3_ACCESS_KEY_ID`: " +
        "`AWS_ACCESS_KEY_ID`, `AWS_PROFILE` and others",
      expected: "as Amazon's tools take it"
    }
  ]
} as const satisfies Part

/** Both, as they stand on the page. */
export const foreignParts: ReadonlyArray<Part> = [telemetry, system]

const expectations: ReadonlyMap<string, string> = new Map(
  foreignParts.flatMap(({ variables }) =>
    variables.map(({ expected = "any text", name }) => [name, expected])
  )
)

/** What one of them may be, to complete the sentence "OTEL_… must be …". */
export const expectedOf = (name: string): string => expectations.get(name) ?? "any text"
