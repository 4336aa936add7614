import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageReply, ImageRequest } from './images.worker.js';
import { UnreadableMedia } from './media-facts.js';

const LONGEST_MS = 45_000;

/** Beside this file, built or as source: node runs both. */
const PROGRAM = new URL(`images.worker${extname(import.meta.url)}`, import.meta.url);

/** A process that decodes pictures, one at a time. It sees nothing of the server's environment. */
export class ImageProcess {
  private readonly child: ChildProcess;

  constructor(program = PROGRAM) {
    this.child = fork(fileURLToPath(program), {
      env: {},
      execArgv: ['--max-old-space-size=128'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('error', () => undefined); // the next request fails with it
  }

  get isAlive(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * Has a picture read.
   * @throws UnreadableMedia when the process does not survive it, or takes too long
   * @throws Error when the process could not even be started, which is no fault of the picture
   */
  async ask(request: ImageRequest): Promise<ImageReply> {
    const { child } = this;
    const { promise, resolve, reject } = Promise.withResolvers<ImageReply>();
    const answered = (reply: unknown) => resolve(reply as ImageReply);
    // A decoder that goes wrong is ended by a signal; who leaves with a code has not come as far as to a decoder.
    const died = (code: number | null) =>
      reject(
        code === null
          ? new UnreadableMedia('The picture is damaged')
          : new Error(`The process that reads pictures cannot run (exit code ${code})`),
      );
    const timer = setTimeout(() => this.end(), LONGEST_MS);
    child.on('message', answered).on('exit', died).on('error', reject);
    this.retain();
    try {
      // Without a file descriptor left it was not started and cannot be sent anything; its error comes before this one.
      if (child.connected) child.send(request, (error) => error && reject(error));
      else process.nextTick(reject, new Error('The process that reads pictures does not run'));
      return await promise;
    } finally {
      clearTimeout(timer);
      child.off('message', answered).off('exit', died).off('error', reject);
      this.release();
    }
  }

  /** Ends the process at once, even during work. */
  end(): void {
    this.child.kill('SIGKILL');
  }

  /** At work it keeps the server from ending, at rest it does not. */
  private retain(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}
