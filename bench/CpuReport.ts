/**
 * Loaded into a server before its program. On request, this module reports the processor time of
 * the process, which other work on the machine hardly affects.
 */

/** The processor time of all threads in microseconds, in user and system mode. */
export type CpuMicros = number

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A stopping server must not wait for the benchmark.
process.channel?.unref()
