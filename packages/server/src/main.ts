/**
 * The `verbatim` command. It exits 0 after a graceful stop, 1 with one sentence when it cannot do
 * what it was asked, and 2 when that cannot be understood.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"

// First of all: the schemas of a server compile to functions. A request body of 1 KB then decodes
// in 2.4 µs instead of 12.5. Other commands end 40 ms earlier without that.
if (process.argv.includes("serve")) await import("effect/schema/SchemaJITCompiler/enable")

const [{ teardown }, { run }] = await Promise.all([
  import("./command/Refusal.ts"),
  import("./Program.ts")
])

NodeRuntime.runMain(run(process.argv.slice(2)), { teardown })
