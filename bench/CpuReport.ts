/**
 * Loaded into a server before its program: reports on request how much processor time the process
 * has used, which other work of the machine hardly affects.
 */

/** In microseconds, of all threads, in user and system mode. */
export type CpuMicros = number

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A stopping server must not wait for the bench.
process.channel?.unref()
