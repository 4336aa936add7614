import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ENV, type Env, parseUrl, sameSecret, SECRET_KEY } from '../../platform/index.js';
import { fileNameOf } from './file-name.js';

/** Separates these signatures from others made with the server's key. */
const PURPOSE = 'media proxy';
const FILES = '/proxy';
export const PREVIEWS = '/proxy/preview';

/**
 * Proxy addresses of other servers' files: `/proxy/<signature>/<URL>/<name>`, with the URL as base64url and its HMAC-SHA1.
 * Only this server can make them, so that the proxy does not fetch arbitrary URLs (threat M7).
 */
@Injectable()
export class ProxyUrls {
  private readonly key: Buffer;
  private readonly ownHosts: ReadonlySet<string | undefined>;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) secretKey: Buffer,
    private readonly settings: Settings,
  ) {
    this.key = createHmac('sha256', secretKey).update(PURPOSE).digest();
    this.ownHosts = new Set([env.baseUrl, env.mediaUrl].map(hostOf));
  }

  get isOn(): boolean {
    return this.settings.get('media_proxy.enabled');
  }

  get makesPreviews(): boolean {
    return this.isOn && this.settings.get('media_preview_proxy.enabled');
  }

  /** Hosts that the proxy never asks: this server's own. */
  get avoided(): string[] {
    return [...this.ownHosts, hostOf(this.settings.get('media_proxy.base_url'))].filter((host) => host !== undefined);
  }

  /** The origins of this server's files, and those that the operator trusts, as sources of a Content-Security-Policy. */
  get sources(): string[] {
    const own = [this.env.baseUrl, this.env.mediaUrl, this.base].flatMap((url) => parseUrl(url ?? '')?.origin ?? []);
    const trusted = this.isOn ? this.settings.get('media_proxy.whitelist') : [];
    return [...new Set([...own, ...trusted.map((host) => `https://${host}${/:\d+$/.test(host) ? '' : ':*'}`)])];
  }

  /** Whether loading a file tells no third party about the viewer: this server or a trusted host has it. */
  isTrusted(text: string): boolean {
    const url = parseUrl(text);
    return url !== null && (this.avoided.includes(url.host) || (this.isOn && this.isWhitelisted(url)));
  }

  /** Whether viewers load this file through the proxy. */
  concerns(text: string): boolean {
    if (!this.isOn) return false;
    const url = parseUrl(text);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
    return !this.avoided.includes(url.host) && !this.isWhitelisted(url);
  }

  /** The address for viewers of another server's file: the proxy's, unless the proxy does not apply. */
  of(url: string): string {
    return this.concerns(url) ? this.base + this.pathOf(url) : url;
  }

  /** The address of its preview; `still` asks for one of small pictures too, since those may move. */
  preview(url: string, still = false): string {
    if (!this.makesPreviews || !this.concerns(url)) return this.of(url);
    return this.base + this.pathOf(url, PREVIEWS) + (still ? '?static=true' : '');
  }

  /** The path of a file, below the address of this server. */
  pathOf(url: string, folder = FILES): string {
    const encoded = Buffer.from(url).toString('base64url');
    const name = fileNameOf(url);
    const path = `${folder}/${this.sign(encoded)}/${encoded}`;
    return name === '' ? path : `${path}/${encodeURIComponent(name)}`;
  }

  /** The URL in two parts of a path; undefined when the signature is wrong. */
  open(signature: string, encoded: string): string | undefined {
    if (!sameSecret(signature, this.sign(encoded))) return undefined;
    return Buffer.from(encoded, 'base64url').toString('utf8');
  }

  /** The origin URL of a URL or of an address from {@link of}. */
  origin(url: string): string {
    const [, signature = '', encoded = ''] =
      /^https?:\/\/[^/]+\/proxy\/(?:preview\/)?([\w-]+)\/([\w-]+)/.exec(url) ?? [];
    return this.open(signature, encoded) ?? url;
  }

  private get base(): string {
    const { baseUrl, mediaUrl, storage } = this.env;
    const own = storage ? baseUrl : (mediaUrl ?? baseUrl); // a public bucket has uploads only
    return this.settings.get('media_proxy.base_url') || own;
  }

  private isWhitelisted({ host, hostname }: URL): boolean {
    const trusted = this.settings.get('media_proxy.whitelist');
    return trusted.includes(host) || trusted.includes(hostname);
  }

  private sign(encoded: string): string {
    return createHmac('sha1', this.key).update(encoded).digest('base64url');
  }
}

function hostOf(url: string | undefined): string | undefined {
  return parseUrl(url ?? '')?.host;
}
