import { parentPort } from 'node:worker_threads';
import { TEXT_WORK, type TextWork } from './text-work.js';

/** A piece of work, as it is sent to the thread. */
export interface TextRequest {
  readonly name: keyof TextWork;
  readonly args: readonly unknown[];
}

/** The first message says that the thread is ready; each later one is the result of a request. */
parentPort?.on('message', ({ name, args }: TextRequest) => {
  const result = (TEXT_WORK[name] as (...args: readonly unknown[]) => unknown)(...args);
  parentPort?.postMessage(result);
});
TEXT_WORK.post({ content: '*', mediaType: 'text/markdown', before: '', after: '', summary: '<' }); // loads the parsers
parentPort?.postMessage('ready');
