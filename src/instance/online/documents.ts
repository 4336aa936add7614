import { phrase, type Phrase } from '../../common/index.js';
import { type Asker, OutboundError, parseUrl } from '../../platform/index.js';
import { type Problem, problem } from './finding.js';
import { reasonOf, send } from './requests.js';
import type { Target } from './target.js';

const ACCEPT = 'application/activity+json, application/jrd+json';

interface Found {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/**
 * Asks for what other servers ask for first. The addresses of this server come from the operator, so they are asked as they
 * are; where an answer leads to another host, the guarded fetcher asks there, since others wrote that address.
 */
export class Documents {
  constructor(
    private readonly target: Target,
    private readonly asker: Asker,
  ) {}

  /** Gets a document, over one redirect, that has to name something. */
  async ask(url: URL, wanted: string): Promise<Found> {
    const { signal } = this.target;
    const headers = { accept: ACCEPT };
    try {
      const first = await send(url, { headers, signal });
      const to = first.headers.location === undefined ? null : parseUrl(first.headers.location, url.href);
      if (to && !this.isOurs(to)) return await this.askElsewhere(url, to, wanted);
      const { status, text } = to ? await send(to, { headers, signal }) : first;
      return found(url, status, text, wanted);
    } catch (error) {
      return { text: '', problems: [problem(phrase('{url}: {reason}', { url: url.href, reason: reasonOf(error) }))] };
    }
  }

  private async askElsewhere(url: URL, to: URL, wanted: string): Promise<Found> {
    try {
      const request = { url: to.href, headers: { accept: ACCEPT }, maxRedirects: 0 };
      const { status, body } = await this.asker.bounded(() => this.asker.ask(request));
      return found(url, status, body.toString(), wanted);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const reason = refusalOf(error);
      const text = phrase('{url} leads to {target}: {reason}', { url: url.href, target: to.href, reason });
      return { text: '', problems: [problem(text)] };
    }
  }

  private isOurs({ protocol, host }: URL): boolean {
    const { baseUrl, handleDomain } = this.target;
    return protocol === baseUrl.protocol && (host === baseUrl.host || host === handleDomain);
  }
}

function found(url: URL, status: number, text: string, wanted: string): Found {
  const isRight = status === 200 && text.includes(wanted);
  const other = phrase('{url} answers {status}, without {wanted}', { url: url.href, status, wanted });
  return { text, problems: isRight ? [] : [problem(other)] };
}

/** Why the guarded fetcher did not ask: its address rules hold for this server too, and for most others. */
function refusalOf({ kind, publicText }: OutboundError): Phrase {
  const isForbidden = kind === 'refused-address' || kind === 'bad-url';
  if (isForbidden) return phrase('servers do not ask there, since the address is not public or not https');
  return kind === 'timeout' ? phrase('no answer in time') : phrase(publicText);
}
