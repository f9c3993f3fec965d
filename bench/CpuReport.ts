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

// The server must be able to stop while the benchmark is still connected.
process.channel?.unref()
