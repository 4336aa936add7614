import { knownUrl } from '../../platform/index.js';
import { requireDigest } from './digests.js';
import { SignatureRefused } from './signature-refused.js';
import {
  headerOf,
  requireRecent,
  signatureBytes,
  type SignatureClaim,
  type SignedRequest,
  type VerifierContext,
} from './signed-request.js';

const PARAMETER = /\s*([a-zA-Z]+)=(?:"([^"]*)"|(\d+(?:\.\d+)?))\s*(?:,|$)/y;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC)$/;
const MAX_HEADERS = 32;

/** RSA with SHA-256; `hs2019` leaves the choice to the key, and all keys here are RSA. */
const ALGORITHMS = ['rsa-sha256', 'hs2019'];

type Parameters = ReadonlyMap<string, string>;

/**
 * Reads a signature of draft-cavage-http-signatures-12.
 * @throws SignatureRefused for a wrong form, too little coverage, a wrong digest or a wrong clock (threats F1, F2)
 */
export function readCavage(request: SignedRequest, context: VerifierContext): SignatureClaim {
  const parameters = parametersOf(headerOf(request, 'signature') ?? '');
  const names = (parameters.get('headers') ?? 'date').toLowerCase().split(' ');
  const keyId = parameters.get('keyId');
  if (!keyId || names.length > MAX_HEADERS || new Set(names).size < names.length)
    throw new SignatureRefused('malformed', 'The header Signature is not well-formed');
  requireAlgorithm(parameters);
  requireCoverage(names, request);
  requireTime(names, parameters, request, context);
  if (request.rawBody) requireDigest(request);
  const texts = targetsOf(request).map((target) => textOf(names, target, parameters, request, context));
  return { keyId, signature: signatureBytes(parameters.get('signature')), texts, covered: names };
}

/** The parameters of the first signature: a second header follows with parameters of the same names. */
function parametersOf(header: string): Parameters {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = 0;
  for (let match = PARAMETER.exec(header); match; match = PARAMETER.exec(header)) {
    const [, name = '', quoted, number] = match;
    if (parameters.has(name)) break;
    parameters.set(name, quoted ?? number ?? '');
  }
  return parameters;
}

function requireAlgorithm(parameters: Parameters): void {
  const algorithm = parameters.get('algorithm');
  if (algorithm !== undefined && !ALGORITHMS.includes(algorithm.toLowerCase()))
    throw new SignatureRefused('algorithm', 'Sign with rsa-sha256');
}

function requireCoverage(names: readonly string[], { rawBody }: SignedRequest): void {
  const needed = ['(request-target)', 'host', ...(rawBody ? ['digest'] : [])];
  const missing = needed.filter((name) => !names.includes(name));
  if (!names.includes('date') && !names.includes('(created)')) missing.push('date');
  if (missing.length > 0) throw new SignatureRefused('coverage', `The signature has to cover ${missing.join(' and ')}`);
}

function requireTime(
  names: readonly string[],
  parameters: Parameters,
  request: SignedRequest,
  { clock }: VerifierContext,
): void {
  if (names.includes('date')) requireRecent(dateOf(headerOf(request, 'date')), clock);
  if (names.includes('(created)')) requireRecent(secondsOf(parameters, 'created'), clock);
  if (parameters.has('expires') && secondsOf(parameters, 'expires') < clock.nowMs)
    throw new SignatureRefused('clock', 'The signature has expired. Check the clock of your server');
}

function dateOf(header: string | undefined): number {
  const ms = header !== undefined && HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(ms)) throw new SignatureRefused('clock', 'The header Date is no date that a clock shows');
  return ms;
}

function secondsOf(parameters: Parameters, name: string): number {
  const value = parameters.get(name) ?? '';
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(value))
    throw new SignatureRefused('malformed', `The parameter ${name} is no time`);
  return Number(value) * 1000;
}

/** Some servers leave the query out of the signature of a GET (threat F21). */
function targetsOf({ method, url }: SignedRequest): string[] {
  const query = url.indexOf('?');
  return method === 'GET' && query !== -1 ? [url, url.slice(0, query)] : [url];
}

function textOf(
  names: readonly string[],
  target: string,
  parameters: Parameters,
  request: SignedRequest,
  { baseUrl }: VerifierContext,
): string {
  const special: Readonly<Record<string, string | undefined>> = {
    '(request-target)': `${request.method.toLowerCase()} ${target}`,
    '(created)': parameters.get('created'),
    '(expires)': parameters.get('expires'),
    host: knownUrl(baseUrl).host,
  };
  const lines = names.map((name) => {
    const value = Object.hasOwn(special, name) ? special[name] : headerOf(request, name);
    if (value === undefined) throw new SignatureRefused('malformed', 'The signature covers a header that is missing');
    return `${name}: ${value}`;
  });
  return lines.join('\n');
}
