import { Inject, Injectable } from '@nestjs/common';
import { localDomains, normalizeDomain, readPage } from '../../common/index.js';
import { Asker, ENV, type Env, isPassingStatus, Outbound, OutboundError } from '../../platform/index.js';
import { ACTIVITY_LD_JSON } from '../wire/uris.js';
import { documentOf, listOf, readDocument, textOf, uriOf } from '../wire/values.js';

/** The handle of an account of another server. */
export interface RemoteHandle {
  readonly username: string;
  readonly domain: string;
}

/** The answer of a domain about one of its handles. */
export interface FoundActor {
  readonly actorUri: string;
  /** The handle as the domain writes it: it may name another domain, which has to confirm it. */
  readonly subject: RemoteHandle;
}

/** A description of a resource in JSON (RFC 7033) or XML (RFC 6415), as far as it is read. */
interface Description {
  readonly subject: string | undefined;
  readonly links: readonly Readonly<Record<string, unknown>>[];
}

const ACCEPTED = 'application/jrd+json, application/json, application/xrd+xml;q=0.9';
const MAX_BYTES = 100_000;
const MAX_LINKS = 100;
const TIMEOUT_MS = 10_000;
/** Longest template that is filled: no longer one makes an address. */
const MAX_TEMPLATE = 2_048;
const ACTIVITY_TYPES: readonly unknown[] = ['application/activity+json', ACTIVITY_LD_JSON];

/** Asks domains for the actors behind their handles (WebFinger). */
@Injectable()
export class WebFingerClient {
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) env: Env,
    private readonly outbound: Outbound,
    private readonly asker: Asker,
  ) {
    this.ownDomains = localDomains(env);
  }

  /**
   * The actor with a handle; undefined when its domain knows none, and for handles of this server.
   * @throws OutboundError when the domain cannot be reached
   */
  async resolve(handle: RemoteHandle): Promise<FoundActor | undefined> {
    const description = await this.describe(handle);
    const link = description?.links.find(({ rel, type }) => rel === 'self' && ACTIVITY_TYPES.includes(type));
    const actorUri = uriOf(link?.['href']);
    return actorUri === undefined ? undefined : { actorUri, subject: handleOf(description?.subject) ?? handle };
  }

  /** The template of the page on which the owner of a handle follows an account of another server: `{uri}` stands for it. */
  async followPage(handle: RemoteHandle): Promise<string | undefined> {
    const description = await this.describe(handle);
    const link = description?.links.find(({ rel }) => rel === 'http://ostatus.org/schema/1.0/subscribe');
    const template = textOf(link?.['template']);
    return template?.includes('{uri}') && filled(template, 'x') !== undefined ? template : undefined;
  }

  private async describe({ username, domain }: RemoteHandle): Promise<Description | undefined> {
    if (this.ownDomains.includes(domain)) return undefined;
    const resource = encodeURIComponent(`acct:${username}@${domain}`);
    let failure: unknown;
    for (const origin of this.originsOf(domain)) {
      try {
        return await this.describeAt(origin, resource);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Plain http only where the operator allows it. */
  private originsOf(domain: string): string[] {
    return [`https://${domain}`, ...(this.outbound.mayReach(`http://${domain}/`) ? [`http://${domain}`] : [])];
  }

  /** Asks at the usual place, or else where the domain says in its host-meta. */
  private async describeAt(origin: string, resource: string): Promise<Description | undefined> {
    const usual = await this.get(`${origin}/.well-known/webfinger?resource=${resource}`);
    if (typeof usual === 'object') return usual;
    const meta = await this.get(`${origin}/.well-known/host-meta`);
    const lrdd = typeof meta === 'object' ? meta.links.find(({ rel }) => rel === 'lrdd') : undefined;
    const template = textOf(lrdd?.['template']);
    const address = template?.includes('{uri}') ? filled(template, resource) : undefined;
    const found = address === undefined ? usual : await this.get(address);
    if (found === 'later') throw new OutboundError('network', 'The server cannot answer at the moment');
    return found;
  }

  /** Types of answers are not looked at: many domains serve a file. What it says is confirmed by the actor document. */
  private async get(url: string): Promise<Description | 'later' | undefined> {
    const headers = { accept: ACCEPTED };
    const answer = await this.asker.ask({ url, headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
    if (isPassingStatus(answer.status)) return 'later';
    return answer.status === 200 ? readDescription(answer.body.toString('utf8')) : undefined;
  }
}

/** The address that a template of a domain stands for; undefined when it is none, or too long. */
function filled(template: string, resource: string): string | undefined {
  return template.length > MAX_TEMPLATE ? undefined : uriOf(template.replaceAll('{uri}', resource));
}

async function readDescription(text: string): Promise<Description> {
  if (text.trimStart().startsWith('<')) return readXml(text);
  const json = readDocument(text);
  return {
    subject: textOf(json?.['subject']),
    links: listOf(json?.['links'], MAX_LINKS)
      .map(documentOf)
      .filter((link) => link !== undefined),
  };
}

async function readXml(xml: string): Promise<Description> {
  const links: Readonly<Record<string, string>>[] = [];
  let subject: string | undefined;
  let isSubject = false;
  await readPage(xml, {
    open: (name, attributes) => {
      isSubject = name === 'subject';
      if (name === 'link' && links.length < MAX_LINKS) links.push(attributes);
    },
    text: (text) => {
      if (isSubject) subject = (subject ?? '') + text;
    },
    close: () => {
      isSubject = false;
    },
  });
  return { subject: subject?.trim(), links };
}

function handleOf(subject: string | undefined): RemoteHandle | undefined {
  const [, username, host] = /^acct:@?([^@\s]{1,255})@([^@\s]+)$/i.exec(subject ?? '') ?? [];
  const domain = host === undefined ? undefined : normalizeDomain(host);
  return username !== undefined && domain !== undefined ? { username, domain } : undefined;
}
