import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the process looks whether it is idle. */
const CHECK_MS = 10_000;
/** A process is idle when it used a core for less than this share of the time since the last look. */
const IDLE_SHARE = 0.03;
/** Fewer bytes that came since the last collection are not worth its time. */
const WORTH_BYTES = 16 * 1024 * 1024;

/** What an {@link IdleCollector} reads and does. */
interface CollectorTools {
  /** The CPU time of the process, in milliseconds. */
  cpuMs(): number;
  /** The resident memory of the process, in bytes. */
  residentBytes(): number;
  /** Collects all garbage and gives the pages back to the system. */
  collect(): void;
}

/**
 * Collects the garbage of a start and of a load once the process is idle. V8 collects while a program allocates, so one that
 * rests keeps what it has no use for (goal G17). The process answers nothing for some 0.2 seconds meanwhile.
 */
export class IdleCollector {
  private cpuMs: number;
  private worthFrom = 0;

  constructor(private readonly tools: CollectorTools = processTools()) {
    this.cpuMs = tools.cpuMs();
  }

  /** Begins to look every 10 seconds, until the process ends. */
  start(): void {
    setInterval(() => this.check(), CHECK_MS).unref();
  }

  private check(): void {
    const before = this.cpuMs;
    this.cpuMs = this.tools.cpuMs();
    const isIdle = this.cpuMs - before < CHECK_MS * IDLE_SHARE;
    if (!isIdle || this.tools.residentBytes() < this.worthFrom) return;
    this.tools.collect();
    this.cpuMs = this.tools.cpuMs();
    this.worthFrom = this.tools.residentBytes() + WORTH_BYTES;
  }
}

/** `gc` needs the flag `--expose-gc`. It is set here, so that any start command has it. */
function processTools(): CollectorTools {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  return {
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
