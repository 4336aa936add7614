import { ProbeTickets } from '../../instance/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, Mailer } from '../../platform/index.js';
import type { Services } from '../frame/command.js';
import type { Finding } from '../frame/finding.js';
import { addressProblems, dnsProblems, plainHttpProblems, tlsProblems } from './address-checks.js';
import { clockOffset } from './clock.js';
import {
  askProbe,
  eventStreamProblems,
  forwardedProblems,
  headerProblems,
  uploadProblems,
  webSocketProblems,
} from './proxy-checks.js';
import { reasonOf, send } from './requests.js';

/** Signatures are good for some minutes on most servers, codes of authenticator apps for half of one. */
const MAX_OFFSET_SECONDS = 15;

/** The server that is looked at. */
export interface Target {
  readonly baseUrl: URL;
  readonly handleDomain: string;
  readonly uploadLimit: number;
  /** A new ticket for the probe. */
  readonly ticket: () => string;
}

/** Looks at the running server from outside in: a check that others depend on comes first, and ends the rest. */
export async function* examineOnline(services: Services): AsyncGenerator<Finding> {
  const settings = services.get(Settings);
  const env = services.get<Env>(ENV);
  const tickets = services.get(ProbeTickets);
  const target: Target = {
    baseUrl: new URL(env.baseUrl),
    handleDomain: env.handleDomain,
    uploadLimit: settings.get('instance.upload_limit'),
    ticket: () => tickets.issue(),
  };
  yield finding('address', addressProblems(target));
  const unknown = await dnsProblems(target);
  yield finding('DNS', unknown);
  yield finding('TLS', await tlsProblems(target));
  yield finding('plain http', await plainHttpProblems(target));
  const probe = await askProbe(target, 0);
  yield finding('this server', typeof probe === 'string' ? [probe] : []);
  if (typeof probe === 'object') {
    yield finding('client addresses', forwardedProblems(probe));
    yield finding('headers', headerProblems(target, probe));
    yield finding('largest upload', await uploadProblems(target));
    yield finding('WebSocket', await webSocketProblems(target));
    yield finding('event stream', await eventStreamProblems(target));
    if (settings.get('instance.federating')) yield* federationFindings(target);
  }
  if (unknown.length === 0) yield finding('clock', await clockProblems()); // else this machine may be alone
  const mail = await services.get(Mailer).problem();
  yield finding('mail', mail === undefined ? [] : [mail]);
}

function finding(check: string, problems: readonly string[]): Finding {
  return { check, problems, fixed: false };
}

/** How other servers get the key that this one signs with, and find people: at the domain of the handles. */
async function* federationFindings({ baseUrl, handleDomain }: Target): AsyncGenerator<Finding> {
  const actor = await ask(new URL('/internal/fetch', baseUrl), 'publicKeyPem');
  yield finding('actor', actor.problems);
  const name = /"preferredUsername":"([^"]+)"/.exec(actor.text)?.[1];
  if (name === undefined) return;
  const path = `/.well-known/webfinger?resource=acct:${name}@${handleDomain}`;
  yield finding(
    'WebFinger',
    (await ask(new URL(path, `${baseUrl.protocol}//${handleDomain}`), baseUrl.origin)).problems,
  );
}

/** Gets a document, over one redirect, that has to name something. */
async function ask(url: URL, wanted: string): Promise<{ text: string; problems: string[] }> {
  const headers = { accept: 'application/activity+json, application/jrd+json' };
  try {
    const first = await send(url, { headers });
    const to = first.headers.location === undefined ? null : URL.parse(first.headers.location, url.href);
    const { status, text } = to ? await send(to, { headers }) : first;
    const isRight = status === 200 && text.includes(wanted);
    return { text, problems: isRight ? [] : [`${url.href} answers ${status}, without ${wanted}`] };
  } catch (error) {
    return { text: '', problems: [`${url.href}: ${reasonOf(error)}`] };
  }
}

async function clockProblems(): Promise<string[]> {
  const offset = await clockOffset();
  if (offset === undefined || Math.abs(offset) <= MAX_OFFSET_SECONDS) return [];
  const seconds = Math.abs(Math.round(offset));
  return [`this machine is ${seconds} seconds ${offset > 0 ? 'ahead' : 'behind'}: signatures and codes of apps fail`];
}
