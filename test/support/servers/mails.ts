import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { useStarted } from './use.js';

/** A mail as the mail server received it. */
export interface RecordedMail {
  /** The sender and the recipient of the envelope. */
  readonly from: string;
  readonly to: string;
  /** Lower-case names; unfolded, encoded words decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

interface Refusal {
  readonly command: string;
  readonly reply: string;
}

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250-mail.test\r\n250 AUTH PLAIN',
  AUTH: '235 welcome',
  DATA: '354 go on',
  QUIT: '221 bye',
};

/** A mail server that records mails. Pass its `url` to a test server as `SMTP_URL`. */
export class RecordedMails {
  readonly all: RecordedMail[] = [];
  private refusal: Refusal | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.talk(socket));
  }

  static async start(): Promise<RecordedMails> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RecordedMails(server);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The mails to one address. */
  to(address: string): RecordedMail[] {
    return this.all.filter(({ to }) => to === address);
  }

  /** Makes a command, such as `RCPT`, fail with a reply, such as `550 no such user`; resets this without arguments. */
  refuse(command?: string, reply = '451 later'): void {
    this.refusal = command === undefined ? undefined : { command, reply };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    const envelope = { from: '', to: '' };
    let data: string | undefined;
    let rest = '';
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (data === undefined) {
          const reply = this.reply(line, envelope);
          if (reply.startsWith('354')) data = '';
          socket.write(`${reply}\r\n`);
        } else if (line === '.') {
          this.all.push({ ...envelope, ...readMail(data) });
          data = undefined;
          socket.write('250 kept\r\n');
        } else data += `${line.replace(/^\./, '')}\r\n`;
      }
    });
    socket.write('220 mail.test\r\n');
  }

  private reply(line: string, envelope: { from: string; to: string }): string {
    const [command = ''] = line.toUpperCase().split(/[ :]/);
    if (this.refusal?.command === command) return this.refusal.reply;
    const address = /<(.*?)>/.exec(line)?.[1] ?? '';
    if (command === 'MAIL') envelope.from = address;
    if (command === 'RCPT') envelope.to = address;
    return REPLIES[command] ?? '250 yes';
  }
}

/** The mail server of a spec file or a `describe`; without mails, and without refusals, before each test. */
export function useMails(): RecordedMails {
  const mails = useStarted(() => RecordedMails.start());
  beforeEach(() => {
    mails.refuse();
    mails.all.length = 0;
  });
  return mails;
}

function readMail(source: string): Pick<RecordedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = readPart(source);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary === undefined ? [{ headers, body }] : body.split(`--${boundary}`).slice(1, -1).map(readPart);
  const contentOf = (type: string) => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
    return part ? decoded(part.body, part.headers.get('content-transfer-encoding')) : '';
  };
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') };
}

function readPart(source: string) {
  const start = source.replace(/^\r\n/, '');
  const end = start.indexOf('\r\n\r\n');
  const lines = start
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
    }),
  );
  return { headers, body: start.slice(end + 4) };
}

/** RFC 2047, in UTF-8. */
function decodedWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

function decoded(body: string, encoding: string | undefined): string {
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString() : body;
  return (encoding === 'quoted-printable' ? quotedPrintable(text) : text).replaceAll('\r\n', '\n').trim();
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
