import type { Metrics } from './metrics.js';

const MICROSECONDS_PER_SECOND = 1e6;

/** Adds the metrics of a process that Prometheus' client libraries have, under their usual names. */
export function measureProcess(metrics: Pick<Metrics, 'gauge' | 'total'>): void {
  const memory = (name: string, help: string, part: keyof NodeJS.MemoryUsage) =>
    metrics.gauge(name, help, () => process.memoryUsage()[part]);
  memory('process_resident_memory_bytes', 'Resident memory of the process', 'rss');
  memory('nodejs_heap_size_total_bytes', 'Size of the heap', 'heapTotal');
  memory('nodejs_heap_size_used_bytes', 'Used part of the heap', 'heapUsed');
  memory('nodejs_external_memory_bytes', 'Memory outside of the heap that objects hold, buffers included', 'external');
  memory('nodejs_array_buffers_bytes', 'Memory of buffers', 'arrayBuffers');
  const startedAt = Date.now() / 1_000 - process.uptime();
  metrics.gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970', () => startedAt);
  metrics.total('process_cpu_seconds_total', 'CPU time of the process', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS_PER_SECOND;
  });
}
