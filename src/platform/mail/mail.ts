import { Inject, Injectable } from '@nestjs/common';
import { knownUrl } from '../urls/urls.js';
import { ENV, type Env } from '../env/env.js';
import { hasCode } from '../env/errors.js';
import { Lazy } from '../memory/lazy.js';
import { done, fail, type Outcome, retry, skip } from '../jobs/job.js';

/** One letter to one person, in both of its forms. */
export interface Mail {
  readonly to: string;
  /** The address of the sender, if it is not that of all mail. */
  readonly from?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address that stops such mails by a POST (RFC 8058). */
  readonly unsubscribe?: string | undefined;
}

/** The sender of mail. */
export interface MailSender {
  readonly name: string;
  /** Empty: no-reply at the host of the base URL. */
  readonly address: string;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** One address and nothing else: no list, no group, no name before it. */
const ADDRESS = /^[^\s\p{Cc}<>(),;:\\"@]{1,64}@[^\s\p{Cc}<>(),;:\\"@]{1,255}$/u;
/** Characters that would end a header and begin another one. */
const CONTROL = /\p{Cc}/u;

/** The fields that nodemailer adds to its errors. */
interface SmtpFailure {
  readonly code?: string;
  readonly originalCode?: string;
  /** `RCPT TO`, without the address. */
  readonly command?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/**
 * Sends mail through the server of `SMTP_URL`, without which it is off. Stores nothing: a mail is a job of its own kind
 * on the queue `mail`, whose handler writes the letter at sending time and returns the result of {@link deliver}.
 */
@Injectable()
export class Mailer {
  private readonly transport: Lazy<SmtpTransport>;
  private readonly smtpUrl: string | undefined;
  private readonly noReply: string;
  private sender: MailSender = { name: 'svc', address: '' };

  constructor(@Inject(ENV) { smtpUrl, baseUrl }: Env) {
    this.smtpUrl = smtpUrl;
    this.transport = new Lazy(() => smtp(smtpUrl ?? ''));
    this.noReply = `no-reply@${knownUrl(baseUrl).hostname}`;
  }

  /** Whether mail can be sent at all. Code that depends on a mail checks this before it promises one. */
  get isOn(): boolean {
    return this.smtpUrl !== undefined;
  }

  /** Greets the mail server and signs in, without a letter. Returns what is wrong; undefined when nothing is. */
  async problem(): Promise<string | undefined> {
    if (this.smtpUrl === undefined) return undefined;
    const transport = await smtp(this.smtpUrl);
    try {
      await transport.verify();
      return undefined;
    } catch (error) {
      const outcome = failure(error);
      return outcome.kind === 'done' ? undefined : outcome.reason;
    } finally {
      transport.close();
    }
  }

  configure({ from }: { readonly from: MailSender }): void {
    this.sender = from;
  }

  /**
   * Passes a letter to the mail server. The outcome leaves out the address, the letter and the server's words, so that
   * it may be stored and logged (threat P8). A permanent refusal fails the job for good, and so does a letter whose
   * address or subject could make a header (threat H13); all else is tried again.
   */
  async deliver({
    to,
    from = this.sender.address || this.noReply,
    subject,
    text,
    html,
    unsubscribe,
  }: Mail): Promise<Outcome> {
    if (!ADDRESS.test(to)) return fail('This is no mail address');
    if (CONTROL.test(subject)) return fail('This is no subject of a mail');
    if (this.smtpUrl === undefined) return skip('There is no mail server: SMTP_URL is not set');
    const transport = await this.transport.get();
    try {
      await transport.sendMail({
        from: { name: this.sender.name, address: from },
        to: { name: '', address: to },
        headers: {
          'Auto-Submitted': 'auto-generated', // RFC 3834: no automatic replies, please
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        subject,
        text,
        html,
      });
      return done;
    } catch (error) {
      return failure(error);
    }
  }
}

type SmtpTransport = Awaited<ReturnType<typeof smtp>>;

/** The library is loaded with the first letter: many servers never send one. */
async function smtp(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The operator has to fix a refused log-in; letters wait for it. */
function failure(error: unknown): Outcome {
  const { code = 'unknown failure', originalCode = code, command, responseCode, permanent } = error as SmtpFailure;
  if (responseCode === undefined) return retry(`The mail server does not answer: ${originalCode}`);
  const reason = `The mail server answered ${responseCode} to ${command ?? 'a command'}`;
  return permanent === true && hasCode(error, 'EENVELOPE', 'EMESSAGE') ? fail(reason) : retry(reason);
}
