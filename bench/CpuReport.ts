/**
 * Loaded into a server before its program. Reports on request how much processor time the process
 * has used, which is hardly affected by other work on the machine.
 */

/** The processor time in microseconds, of all threads, in user and system mode. */
export type CpuMicros = number

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A stopping server must not wait for the benchmark.
process.channel?.unref()
