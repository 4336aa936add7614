import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PROGRAM = 'chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

/** The view of a page. */
export interface View {
  readonly width: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly language?: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly isMeant: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
}

/** Whether this machine has a browser; tests that need one are skipped without it. */
export function hasBrowser(): boolean {
  return spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A headless browser, driven through the DevTools protocol over a pipe. */
export class Browser {
  private count = 0;
  private session: string | undefined;
  private waiting: Waiting[] = [];

  private constructor(
    private readonly program: ChildProcess,
    private readonly profile: string,
  ) {
    let rest = '';
    (program.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop()!;
      for (const message of messages) this.received(JSON.parse(message) as Message);
    });
  }

  static async start(): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'svc-browser-'));
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    const program = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${profile}`], { stdio: [...stdio] });
    const browser = new Browser(program, profile);
    const { targetId } = (await browser.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.session = (attached as { sessionId: string }).sessionId;
    await browser.send('Page.enable');
    await browser.send('Network.enable');
    return browser;
  }

  /** Opens a page and waits until it has loaded with all its files. */
  async open(url: string, { width, height = 800, scheme = 'light', language = 'en' }: View): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.send('Emulation.setDeviceMetricsOverride', metrics);
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await this.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Language': language } });
    const loaded = this.next(({ method }) => method === 'Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the open page. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    return (answer as { result: { value: T } }).result.value;
  }

  /** Presses a key, such as `Tab` or `Enter`. */
  async press(key: string): Promise<void> {
    const code = { Tab: 9, Enter: 13 }[key];
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && { text: '\r' }) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.program.once('exit', resolve));
    this.program.kill('SIGKILL');
    await ended;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.count;
    const answer = this.next((message) => message.id === id);
    const { session } = this;
    (this.program.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  private next(isMeant: Waiting['isMeant']): Promise<Message> {
    return new Promise((resolve) => this.waiting.push({ isMeant, resolve }));
  }

  private received(message: Message): void {
    const meant = this.waiting.filter(({ isMeant }) => isMeant(message));
    this.waiting = this.waiting.filter((each) => !meant.includes(each));
    for (const { resolve } of meant) resolve(message);
  }
}
