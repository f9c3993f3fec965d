/**
 * Loaded into a server before its own program: it tells the bench, when asked, how much processor
 * time the process has used. Other work of the machine hardly changes that.
 */

/** In microseconds, of all threads, in the program and in the system for it. */
export type CpuMicros = number

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A server that is told to stop must not wait for the bench.
process.channel?.unref()
