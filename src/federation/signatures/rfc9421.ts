import { knownUrl } from '../../platform/index.js';
import { requireContentDigest } from './digests.js';
import { SignatureRefused } from './signature-refused.js';
import {
  headerOf,
  requireRecent,
  signatureBytes,
  type SignatureClaim,
  type SignedRequest,
  type VerifierContext,
} from './signed-request.js';

const ALGORITHM = 'rsa-v1_5-sha256';
const MAX_COMPONENTS = 32;

const KEY = '[a-z*][a-z0-9_.*-]*';
/** The first signature: its label, its components, its parameters. Components with parameters do not match. */
const FIRST = new RegExp(`^\\s*(${KEY})=(\\(((?: *"[a-z0-9@_-]+")*) *\\)((?:;[^,;"]*(?:"[^"\\\\]*")?)*))\\s*(?:,|$)`);
const PARAMETER = new RegExp(`; *(${KEY})=(?:"([^"]*)"|(\\d{1,12})(?=;|$))`, 'g');

interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
  /** Components and parameters as they were sent. */
  readonly raw: string;
}

/**
 * Reads the first signature of a request by RFC 9421.
 * @throws SignatureRefused for a wrong form, too little coverage, a wrong digest or a wrong clock (threats F1, F2)
 */
export function readRfc9421(request: SignedRequest, context: VerifierContext): SignatureClaim {
  const input = inputOf(headerOf(request, 'signature-input') ?? '');
  const { components, parameters } = input;
  const keyId = parameters.get('keyid');
  if (!keyId || components.length > MAX_COMPONENTS || new Set(components).size < components.length) throw malformed();
  if ((parameters.get('alg') ?? ALGORITHM) !== ALGORITHM)
    throw new SignatureRefused('algorithm', `Sign with ${ALGORITHM}`);
  requireCoverage(components, request);
  requireTime(parameters, context);
  if (request.rawBody) requireContentDigest(request);
  const signature = signatureBytes(signatureOf(headerOf(request, 'signature') ?? '', input.label));
  return { keyId, signature, texts: [signatureBase(input, request, context)], covered: components };
}

/** The text that is signed (RFC 9421 §2.5). */
export function signatureBase(
  { components, raw }: Pick<SignatureInput, 'components' | 'raw'>,
  request: SignedRequest,
  { baseUrl }: Pick<VerifierContext, 'baseUrl'>,
): string {
  const lines = components.map((name) => `"${name}": ${componentOf(name, request, baseUrl)}`);
  return [...lines, `"@signature-params": ${raw}`].join('\n');
}

/** @throws SignatureRefused when the header has another form */
export function inputOf(header: string): SignatureInput {
  const [, label, raw, list, rest] = FIRST.exec(header) ?? [];
  if (label === undefined || raw === undefined) throw malformed();
  const components = [...(list ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  const parameters = [...(rest ?? '').matchAll(PARAMETER)].map(
    ([, name = '', text, number]) => [name, text ?? number ?? ''] as const,
  );
  return { label, components, parameters: new Map(parameters), raw };
}

function signatureOf(header: string, label: string): string | undefined {
  const members = header.split(',').map((member) => member.trim());
  const prefix = `${label}=:`;
  return members
    .find((member) => member.startsWith(prefix))
    ?.slice(prefix.length)
    .replace(/:$/, '');
}

function requireCoverage(components: readonly string[], { rawBody, url }: SignedRequest): void {
  const covers = (...names: string[]) => names.every((name) => components.includes(name));
  const path = covers('@request-target') || covers('@path', ...(url.includes('?') ? ['@query'] : []));
  const missing = [
    ...(covers('@method') ? [] : ['@method']),
    ...(covers('@target-uri') || (covers('@authority') && path) ? [] : ['@target-uri']),
    ...(rawBody && !covers('content-digest') ? ['content-digest'] : []),
  ];
  if (missing.length > 0) throw new SignatureRefused('coverage', `The signature has to cover ${missing.join(' and ')}`);
}

function requireTime(parameters: ReadonlyMap<string, string>, { clock }: VerifierContext): void {
  const [created, expires] = ['created', 'expires'].map((name) => parameters.get(name));
  if (created === undefined || !/^\d+$/.test(created))
    throw new SignatureRefused('malformed', 'The signature needs the parameter created');
  requireRecent(Number(created) * 1000, clock);
  if (expires !== undefined && !(Number(expires) * 1000 >= clock.nowMs))
    throw new SignatureRefused('clock', 'The signature has expired. Check the clock of your server');
}

function componentOf(name: string, request: SignedRequest, baseUrl: string): string {
  const { host, protocol } = knownUrl(baseUrl);
  const [path = '', query = ''] = request.url.split(/\?(.*)/s);
  const derived: Readonly<Record<string, string>> = {
    '@method': request.method,
    '@target-uri': baseUrl + request.url,
    '@authority': host,
    '@scheme': protocol.slice(0, -1),
    '@request-target': request.url,
    '@path': path,
    '@query': `?${query}`,
  };
  const value = name.startsWith('@') ? derived[name] : headerOf(request, name);
  if (value === undefined) throw new SignatureRefused('malformed', `The signature covers ${name}, which is missing`);
  return value;
}

function malformed(): SignatureRefused {
  return new SignatureRefused('malformed', 'The header Signature-Input is not well-formed');
}
